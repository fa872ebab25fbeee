// Usage by key, user and model.

import type { JSX } from "preact";
import { useQuery } from "../data/hooks/use-query.ts";
import { shown } from "../format/shown.ts";
import { Busy, Refused } from "../parts/states.tsx";
import { useApp } from "../state/app.tsx";
import type { PageRoute } from "../state/page-route.ts";

const DIMENSIONS = ["month", "day", "model", "step", "key", "user"];
const COST = "cost_usd";
const KEY_NAME = "key_name";

type UsageLine = { readonly [name: string]: string | number | null };

/** The report. */
export function Usage({ place }: { readonly place: Extract<PageRoute, { view: "usage" }> }): JSX.Element {
  const { api, go, refresh } = useApp();
  const by = place.by.length === 0 ? ["day", "model"] : place.by.filter((one) => DIMENSIONS.includes(one));
  const path = `/v1/usage?group_by=${by.join(",")}`;
  const usage = useQuery(`${path} ${refresh.value}`, (signal) =>
    api.json<{ data: readonly UsageLine[]; lost_records: number }>(path, { signal }),
  );
  const { data: lines = [], lost_records: lost = 0 } = usage.value ?? {};
  const columns = [...new Set(lines.flatMap((line) => Object.keys(line)))].filter(
    (name) => name !== KEY_NAME,
  );
  const counts = new Set(columns.filter((column) => lines.some((line) => typeof line[column] === "number")));
  const most = Math.max(1, ...lines.map((line) => Number(line["requests"] ?? 0)));
  return (
    <section class="page" aria-labelledby="usage">
      <h1 id="usage">Usage</h1>
      <fieldset class="line">
        <legend class="unseen">Group by</legend>
        {DIMENSIONS.map((one) => (
          <button
            type="button"
            key={one}
            class="chip"
            aria-pressed={by.includes(one)}
            onClick={() => {
              const next = by.includes(one) ? by.filter((other) => other !== one) : [...by, one];
              if (next.length > 0) go({ ...place, by: next }, true);
            }}
          >
            {one}
          </button>
        ))}
      </fieldset>
      <Busy on={usage.loading} />
      {usage.error !== undefined && <Refused error={usage.error} />}
      {lost > 0 && (
        <div class="notice worse">
          {lost.toLocaleString("en")} {lost === 1 ? "record is" : "records are"} damaged or missing, and not
          included
        </div>
      )}
      {usage.value !== undefined && lines.length === 0 && (
        <p class="muted">No usage yet. Chats are counted, including those on this page.</p>
      )}
      {lines.length > 0 && (
        <table class="list">
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" key={column} class={counts.has(column) || column === COST ? "side" : ""}>
                  {column === COST ? "cost" : shown(column.replaceAll("_", " "))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={JSON.stringify(line)}>
                {columns.map((column) => {
                  const value = line[column] ?? null;
                  if (column === COST) return <Cost key={column} line={line} />;
                  return (
                    <td key={column} class={typeof value === "number" ? "side number" : ""}>
                      {column === "requests" && (
                        <meter min={0} max={most} value={Number(value)} aria-hidden="true" />
                      )}{" "}
                      {typeof value === "number" ? value.toLocaleString("en") : shown(textOf(line, column))}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function textOf(line: UsageLine, column: string): string {
  const name = column === "key" ? line[KEY_NAME] : undefined;
  return typeof name === "string" ? `${name} (${line[column]})` : String(line[column] ?? "—");
}

/** The cost of a line's requests, if their models have a price. */
function Cost({ line }: { readonly line: UsageLine }) {
  const cost = line[COST] ?? null;
  if (cost === null) return <td class="side muted">no price</td>;
  const unpriced = Number(line["unpriced_requests"] ?? 0);
  return (
    <td class="side number">
      {/* An exact decimal, which a number would round. */}${shown(String(cost))}
      {unpriced > 0 && <span class="muted"> excluding {unpriced.toLocaleString("en")} without a price</span>}
    </td>
  );
}
