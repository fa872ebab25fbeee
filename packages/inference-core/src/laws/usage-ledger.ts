// The laws of a usage ledger: its reports match its records.

import type { Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import { reportUsage, type UsageQuery, type UsageRecord } from "../usage/usage.ts";
import type { UsageSink, UsageSource } from "../usage/usage-ledger.ts";

const DAY = 86_400_000;

const base: UsageRecord = {
  id: "a",
  at: 1_700_000_000_000,
  entity: "team",
  project: "demo",
  key: "k1",
  user: null,
  model: "org/model",
  step: null,
  streamed: false,
  outcome: "complete",
  promptTokens: 10,
  generatedTokens: 5,
  deliveredTokens: 5,
  counted: "engine",
};

const records: readonly UsageRecord[] = [
  base,
  { ...base, id: "b", at: base.at + DAY, streamed: true, user: "ada" },
  { ...base, id: "c", key: "k2", outcome: "aborted", deliveredTokens: 2, counted: "estimate" },
  {
    ...base,
    id: "d",
    model: "wandb-artifact:///team/demo/m",
    step: 10,
    outcome: "failed",
    deliveredTokens: 0,
  },
  {
    ...base,
    id: "e",
    model: "wandb-artifact:///team/demo/m",
    step: 2,
    generatedTokens: 0,
    deliveredTokens: 0,
  },
  { ...base, id: "f", project: "other", user: "bob", promptTokens: 0 },
  { ...base, id: "g", entity: "Team", user: "" },
];

const queries: readonly UsageQuery[] = [
  {},
  { by: ["day"] },
  { by: ["month", "model"] },
  { by: ["step", "model"] },
  { by: ["user"] },
  { by: ["key", "day"] },
  { entity: "team", project: "demo", by: ["key"] },
  { model: "wandb-artifact:///team/demo/m", by: ["step"] },
  { step: 2 },
  { user: "ada" },
  { key: "k2", by: ["model"] },
  { from: "2023-11-15" },
  { to: "2023-11-14", by: ["day"] },
  { from: "2023-11-14", to: "2023-11-15", by: ["day", "user"] },
  { entity: "unknown" },
];

/** The laws of a ledger that is both sink and source. `open` creates an empty one each time. */
export function usageLaws(open: Open<UsageSink & UsageSource>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("an empty ledger reports nothing", async (ledger) => {
      expectSame(await ledger.report({ by: ["day"] }), [], "report");
    }),

    law("every report equals that of reportUsage over the records", async (ledger) => {
      for (const record of records) await ledger.record(record);
      for (const query of queries) {
        expectSame(await ledger.report(query), reportUsage(records, query), JSON.stringify(query));
      }
    }),

    law("a repeated record counts once", async (ledger) => {
      await ledger.record(base);
      await ledger.record({ ...base, generatedTokens: 999 });
      expectSame(await ledger.report({}), reportUsage([base], {}), "report");
    }),

    law("concurrent records are all kept", async (ledger) => {
      await Promise.all(records.map((record) => ledger.record(record)));
      expectSame(await ledger.report({}), reportUsage(records, {}), "report");
    }),
  ];
}
