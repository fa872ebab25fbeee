// Opens files, one reading at a time, and then shows their content.

import { useState } from "preact/hooks";
import { useApp } from "../../state/app.tsx";
import { comparisonOf } from "../../state/page-route.ts";

/** The progress. */
export interface Opening {
  readonly opening: boolean;
  /** Why the last files could not be opened. */
  readonly refused: string | undefined;
  open(files: readonly File[]): void;
}

/** Lets a part of the page open files. */
export function useOpening(): Opening {
  const app = useApp();
  const [opening, setOpening] = useState(false);
  const [refused, setRefused] = useState<string | undefined>(undefined);
  return {
    opening,
    refused,
    open(files) {
      if (files.length === 0 || opening || app.open === undefined) return;
      setOpening(true);
      setRefused(undefined);
      app
        .open(files)
        .then(
          ({ project, evaluations, label, notes }) => {
            app.go(comparisonOf(project, { evaluations }));
            // Files with the same names may have changed by now.
            app.refresh.value++;
            app.say([`${label}; nothing was uploaded`, ...notes].join(". "));
          },
          (error: Error) => setRefused(error.message),
        )
        .finally(() => setOpening(false));
    },
  };
}
