// Filters rows by how they changed, as chips.

import type { JSX } from "preact";
import type { ChangeCounts } from "../../data/answers.ts";
import { CHANGES, type Change } from "../../state/page-route.ts";

/** Chips that filter rows by how they changed. */
export function ChangeChips(props: {
  readonly counts: ChangeCounts | null | undefined;
  readonly total: number | undefined;
  readonly change: Change | undefined;
  readonly onChange: (change: Change | undefined) => void;
}): JSX.Element {
  const { counts, total, change, onChange } = props;
  const all = counts?.all ?? (change === undefined ? total : undefined);
  return (
    <fieldset class="changes">
      <legend class="unseen">Rows by change</legend>
      <button
        type="button"
        class="chip"
        aria-pressed={change === undefined}
        onClick={() => onChange(undefined)}
      >
        all {all?.toLocaleString("en")}
      </button>
      {counts != null &&
        CHANGES.filter((one) => one === change || (counts[one] ?? 0) > 0).map((one) => (
          <button
            type="button"
            key={one}
            class={`chip ${one}`}
            aria-pressed={change === one}
            onClick={() => onChange(change === one ? undefined : one)}
          >
            {/* Without a number while the counts are of a single evaluation, shown before. */}
            {one} {counts[one]?.toLocaleString("en")}
          </button>
        ))}
    </fieldset>
  );
}
