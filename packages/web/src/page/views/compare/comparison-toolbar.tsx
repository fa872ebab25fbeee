// The toolbar above the rows: tabs, filters, and display options of rows.

import { countText, cutText, measureName } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { without } from "../../data/choose.ts";
import type { ComparisonData } from "../../data/hooks/use-comparison.ts";
import { ordersOf } from "../../data/questions.ts";
import { shown } from "../../format/shown.ts";
import { ChangeChips } from "../../parts/filter/change-chips.tsx";
import { ConditionChips } from "../../parts/filter/condition-chips.tsx";
import { FilterForm } from "../../parts/filter/filter-form.tsx";
import { type Parts, useApp } from "../../state/app.tsx";
import { type CompareRoute, type Order, TABS, type Tab } from "../../state/page-route.ts";

interface ToolbarProps {
  readonly place: CompareRoute;
  readonly data: ComparisonData;
  /** Whether the form for a new filter is open. */
  readonly adding: boolean;
  readonly onAdding: (adding: boolean) => void;
  readonly onGo: (parts: Parts, replace?: boolean) => void;
}

/** The toolbar of a comparison. */
export function ComparisonToolbar({ place, data, adding, onAdding, onGo }: ToolbarProps): JSX.Element {
  const { evaluations, rows } = data;
  // The chip that is being changed.
  const [changing, setChanging] = useState<number | undefined>(undefined);
  const close = (): void => {
    setChanging(undefined);
    onAdding(false);
  };
  return (
    <div class="toolbar">
      <div class="tabs" role="tablist" aria-label="View">
        {TABS.map((tab) => (
          <button
            type="button"
            key={tab}
            role="tab"
            aria-selected={place.tab === tab}
            aria-controls="shown"
            onClick={() => onGo({ tab })}
          >
            {TAB_TEXT[tab]}
          </button>
        ))}
      </div>
      {place.tab === "rows" && (
        <ChangeChips
          counts={rows.latest?.counts}
          total={rows.latest?.total_rows}
          change={place.change}
          onChange={(change) => onGo({ change })}
        />
      )}
      <ConditionChips
        chips={place.chips}
        evaluations={evaluations}
        onRemove={(index) => {
          close();
          onGo({ chips: place.chips.filter((_, at) => at !== index) });
        }}
        onEdit={setChanging}
      />
      <button type="button" class="chip add" aria-expanded={adding} onClick={() => onAdding(!adding)}>
        + filter
      </button>
      <Unread />
      <Unknown place={place} data={data} onGo={onGo} />
      <Warnings texts={data.summary.value?.warnings ?? []} />
      {(adding || changing !== undefined) && (
        <FilterForm
          key={changing}
          project={place.project}
          evaluations={evaluations}
          changed={changing === undefined ? undefined : place.chips[changing]}
          onAdd={(chip) => {
            close();
            onGo({ chips: place.chips.toSpliced(changing ?? place.chips.length, 1, chip) });
          }}
          onClose={close}
        />
      )}
      <span class="spring" />
      {place.tab === "rows" && <RowControls place={place} data={data} onGo={onGo} />}
    </div>
  );
}

/** The order of rows, what they show, and how many there are. */
function RowControls({ place, data, onGo }: Pick<ToolbarProps, "place" | "data" | "onGo">) {
  const { rows, total } = data;
  const count = rows.latest?.counts?.all ?? undefined;
  const { directions, focus, shown: of } = data;
  const orders: readonly Order[] =
    focus === undefined ? ["digest"] : ordersOf(of.baseline, directions.get(focus));
  return (
    <>
      <label class="quiet">
        <span class="unseen">order</span>
        <select
          value={orders.includes(place.order) ? place.order : orders[0]}
          onChange={(event) => onGo({ order: event.currentTarget.value as Order })}
        >
          {orders.map((order) => (
            <option key={order} value={order}>
              {orderText(order, data.focus)}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="chip"
        aria-pressed={place.diff}
        onClick={() => onGo({ diff: !place.diff }, true)}
      >
        diff
      </button>
      <button
        type="button"
        class="chip"
        aria-pressed={place.dense}
        onClick={() => onGo({ dense: !place.dense }, true)}
      >
        dense
      </button>
      {rows.latest !== undefined && (
        <output class="muted took" title={`answered in ${Math.max(1, Math.round(rows.took))} ms`}>
          {count !== undefined && count !== total
            ? `${total.toLocaleString("en")} of ${countText(count, "row")}`
            : countText(total, "row")}
        </output>
      )}
    </>
  );
}

/** The names of tabs. */
export const TAB_TEXT: Readonly<Record<Tab, string>> = {
  rows: "Rows",
  distribution: "Distribution",
  slices: "Slices",
  matrix: "Matrix",
  ranking: "Ranking",
};

function orderText(order: Order, focus: string | undefined): string {
  const name = focus === undefined ? "" : ` on ${shown(measureName(focus))}`;
  switch (order) {
    case "worst_first":
      return `worst first${name}`;
    case "best_first":
      return `best first${name}`;
    case "largest_first":
      return `largest difference first${name}`;
    case "digest":
      return "by digest";
  }
}

/** Filters of the link that cannot be read, and so select nothing. */
function Unread() {
  const { place, go } = useApp();
  const { rest } = place.value;
  return rest
    .filter(([key]) => key === "f")
    .map((pair) => (
      <p key={pair[1]} class="notice worse" role="alert">
        This link has a filter that cannot be read; it is ignored: {shown(cutText(pair[1]))}{" "}
        <button
          type="button"
          onClick={() => go({ ...place.value, rest: rest.filter((one) => one !== pair) })}
        >
          Remove
        </button>
      </p>
    ));
}

/** Names in a link that the project does not have: evaluations, and the score in focus. */
function Unknown({ place, data, onGo }: Pick<ToolbarProps, "place" | "data" | "onGo">) {
  const { evaluations, focus, summary } = data;
  const { measure } = place;
  const isUnknown = measure !== undefined && measure !== focus && summary.value !== undefined;
  return (
    <>
      {evaluations
        .filter(({ listed }) => listed === undefined)
        .map(({ id, name }) => (
          <p key={id} class="notice worse" role="alert">
            This project has no evaluation {name}: it has no trial yet, or was deleted.{" "}
            <button type="button" onClick={() => onGo(without(place, id))}>
              Remove
            </button>
          </p>
        ))}
      {isUnknown && (
        <p class="notice worse" role="alert">
          No trial has a number or a boolean at {shown(measureName(measure))}, which this link puts in focus.{" "}
          <button type="button" onClick={() => onGo({ measure: undefined })}>
            Remove
          </button>
        </p>
      )}
    </>
  );
}

/** Warnings about names in the filters, which links contain unchecked. */
function Warnings({ texts }: { readonly texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text} class="notice worse" role="alert">
      {shown(text)}
    </p>
  ));
}
