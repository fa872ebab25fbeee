// Requests as JSON Schema for an OpenAPI document, from the schemas that validate them.

import type { Json } from "@assay/base";
import { modelSchema } from "./create-model.ts";
import { logSchema } from "./log-trajectories.ts";
import { groupSchema } from "./parse/read-groups.ts";
import { jobSchemas } from "./submit-job.ts";

/**
 * The schemas for `#/components/schemas/`, by name: `ModelRequest`, `RlRequest`, `SftRequest`, `LogRequest` and
 * `TrajectoryGroup`. They do not express rules about several fields or about stored data.
 */
export function requestSchemas(): { readonly [name: string]: Json } {
  const groups = { type: "array", items: { $ref: "#/components/schemas/TrajectoryGroup" } };
  const orNull = (schema: Json) => ({ anyOf: [schema, { type: "null" }] });
  const [rl, sft] = [jobSchemas("rl"), jobSchemas("sft")];
  return {
    ModelRequest: partOf(modelSchema()),
    RlRequest: withProperties(partOf(rl.body), {
      trajectory_groups: { ...groups, minItems: 1 },
      experimental_config: orNull(partOf(rl.config)),
    }),
    SftRequest: withProperties(partOf(sft.body), {
      config: orNull(partOf(sft.config)),
      experimental_config: orNull({ type: "object" }),
    }),
    LogRequest: withProperties(partOf(logSchema()), { trajectory_groups: groups }),
    TrajectoryGroup: partOf(groupSchema()),
  };
}

type Fields = { readonly [name: string]: Json };

/** A schema as part of a document, without `$schema`, which the document states for all. */
function partOf(schema: object): Fields {
  const { $schema: _, ...part } = schema as Fields;
  return part;
}

function withProperties(schema: Fields, properties: Fields): Fields {
  return { ...schema, properties: { ...(schema["properties"] as Fields), ...properties } };
}
