// What the two forms of a filter share.

import type { JSX } from "preact";
import type { KnownField } from "../../format/filter/completions.ts";
import type { Chip } from "../../state/page-route.ts";

/** Properties of either form. */
export interface FormProps {
  /** Fields with their most common values, once they are known; any other may be typed. */
  readonly known: readonly KnownField[];
  readonly isLoading: boolean;
  /** The chip that is changed; undefined for a new one. */
  readonly changed: Chip | undefined;
  /** The evaluation that the filter is about; undefined for all. */
  readonly evaluation: string | undefined;
  /** Selects that evaluation. */
  readonly scope: JSX.Element;
  /** Buttons that end the form or show the other one. */
  readonly buttons: JSX.Element;
  readonly onAdd: (chip: Chip) => void;
}
