// The error for a field that is not served. Users know features, not the fields by which clients ask for them.

import { shownName } from "@assay/base/internal";
import { GraphQLError } from "graphql";

/** Unsupported features, by the names of their fields or operations, and what to do instead. */
const FEATURES: readonly (readonly [names: RegExp, feature: string])[] = [
  [/sweep|agent/i, "sweeps are not supported: start the runs yourself, and give them one group"],
  [/launch|run_?queue|resourceConfig/i, "launch is not supported: start the program yourself"],
  [/linkArtifact|registr|orgInfo/i, "links and the registry are not supported: give a version an alias"],
  [/allViews|upsertView|deleteView/, "reports are not supported"],
  [/alert/i, "alerts are not supported"],
  [/automation|trigger|integration/i, "automations and integrations are not supported"],
  [/chart/i, "custom charts are not supported"],
  [/team|users?\b|invite/i, "users and teams are not supported: assay keys manages who has access"],
];

/** The error for `field`, such as `mutation upsertSweep`, of the operation `name`. */
export function notServed(field: string, name: string | undefined): GraphQLError {
  const by = name === undefined ? "" : `asked for by ${shownName(name)}`;
  const asked = `${field} ${name ?? ""}`;
  const feature = FEATURES.find(([names]) => names.test(asked))?.[1];
  const message =
    feature === undefined
      ? `${field}${by && ` (${by})`} is not served here`
      : `${feature} (${field}${by && `, ${by}`})`;
  return new GraphQLError(message, { extensions: { code: "NOT_SERVED" } });
}
