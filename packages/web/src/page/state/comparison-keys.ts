// Keyboard shortcuts of a comparison.

import type { Parts } from "./app.tsx";
import type { Keys } from "./keys.ts";
import { type CompareRoute, ORDERS, TABS } from "./page-route.ts";

/** Actions of the keys. */
export interface ComparisonActions {
  readonly place: CompareRoute;
  readonly baseline: string | undefined;
  readonly candidate: string;
  /** Fields of scores, in an order that does not change with the focus. */
  readonly measures: readonly string[];
  readonly cursor: number;
  readonly total: number;
  go(parts: Parts, replace?: boolean): void;
  move(to: number): void;
  open(): void;
  filter(): void;
  /** Opens the export menu. */
  take(): void;
  update(): void;
  copy(): void;
  /** Whether the evaluations differ on a row; undefined if unknown. */
  disagrees(index: number): boolean | undefined;
}

/** The keys with their actions, for the list that `?` shows. */
export const COMPARISON_KEYS: readonly (readonly [key: string, what: string])[] = [
  ["j  k", "next, previous row"],
  ["Enter", "open the row"],
  ["Esc", "close what is open"],
  ["n  p", "next, previous row that differs on the measure in focus"],
  ["[  ]", "previous, next trial"],
  ["1 … 9", "put a score in focus"],
  ["b", "swap baseline and candidate"],
  ["d", "show or hide differences in outputs"],
  ["w", "show only rows that got worse"],
  ["f  /", "add a filter"],
  ["e", "export the rows shown"],
  ["s", "change the order of rows"],
  ["t", "next tab"],
  ["u", "update"],
  ["c", "copy the link"],
  ["g c  g e", "go to the comparison, the evaluations"],
  ["g t  g m  g u", "go to training, chat, usage"],
  ["Ctrl K  ⌘ K", "find anything by name"],
  ["?", "show this list"],
];

/** The keys of a comparison. */
export function comparisonKeys(actions: ComparisonActions): Keys {
  const { place, cursor, total, go } = actions;
  const trial = (by: number) => {
    const [left, right] = place.trials;
    go({ trials: [Math.max(0, left + by), Math.max(0, right + by)] }, true);
  };
  const toDisagreement = (by: 1 | -1) => {
    for (let at = cursor + by; at >= 0 && at < total; at += by) {
      const differs = actions.disagrees(at);
      if (differs === false) continue;
      actions.move(at);
      return;
    }
  };
  const keys: Record<string, () => void> = {
    j: () => actions.move(cursor + 1),
    k: () => actions.move(cursor - 1),
    ArrowDown: () => actions.move(cursor + 1),
    ArrowUp: () => actions.move(cursor - 1),
    Enter: actions.open,
    n: () => toDisagreement(1),
    p: () => toDisagreement(-1),
    "[": () => trial(-1),
    "]": () => trial(1),
    b: () => {
      if (actions.baseline !== undefined) go({ baseline: actions.candidate, candidate: actions.baseline });
    },
    d: () => go({ diff: !place.diff }, true),
    w: () => go({ change: place.change === "worse" ? undefined : "worse" }),
    Escape: () => {
      if (place.row !== undefined) go({ row: undefined });
    },
    f: actions.filter,
    "/": actions.filter,
    e: actions.take,
    s: () => go({ order: after(ORDERS, place.order) }),
    t: () => go({ tab: after(TABS, place.tab) }),
    u: actions.update,
    c: actions.copy,
  };
  for (const [at, field] of actions.measures.slice(0, 9).entries())
    keys[String(at + 1)] = () => go({ measure: field });
  return keys;
}

function after<T>(all: readonly T[], one: T): T {
  return all[(all.indexOf(one) + 1) % all.length]!;
}
