// The route that lists the evaluations of a model.

import { bad, type Issue, type Json, ok, type Result } from "@assay/base";
import { isProjectName } from "@assay/base/internal";
import type { EvaluationEntry } from "@assay/eval-engine";
import { evaluationsOfModel } from "@assay/inference-core";
import type { ModelEvaluation, Version } from "@assay/inference-core/internal";
import type { Page } from "@assay/training-core/internal";
import { withModel } from "./request/authorize.ts";
import type { Acts, Parts } from "./request/handler-parts.ts";
import { type PageQuery, readPageQuery } from "./request/query.ts";
import { list, refuseIssues, type View } from "./response/responses.ts";

/** Finds evaluations. Throws a `Fault` when the storage itself fails. */
export interface EvaluationSource {
  /** The evaluations of a project, `entity/project`, by start (unknown last); empty if the project does not exist. */
  entries(project: string): Promise<readonly EvaluationEntry[]>;
  /**
   * The values of `weave:///` references, in order; null for those that do not exist or are in a project that is not
   * allowed.
   */
  resolve(refs: readonly string[], allowed: (project: string) => boolean): Promise<readonly Json[]>;
}

/** `/v1/preview/models/{model_id}/evaluations`. */
export function evaluationHandlers({ training }: Parts, source: EvaluationSource | undefined): Acts {
  if (source === undefined) return { list_model_evaluations: undefined };
  return {
    list_model_evaluations: (incoming) =>
      withModel(training, incoming, async (model) => {
        const asked = readEvaluationsQuery(incoming.query);
        if (!asked.ok) return refuseIssues(asked.issues, "query");
        const { step, project = `${model.entity}/${model.project}`, ...page } = asked.value;
        const allowed = (name: string): boolean => {
          const [entity = "", inEntity = ""] = name.split("/");
          return incoming.principal.allows(entity, inEntity);
        };
        const entries = allowed(project) ? await source.entries(project) : [];
        const resolve = (refs: readonly string[]) => source.resolve(refs, allowed);
        const found = await evaluationsOfModel(entries, model, resolve);
        const chosen = found.filter(({ version }) => step === undefined || stepOf(version) === step);
        const cut = pageOf(chosen, page);
        return cut.ok
          ? list(cut.value, (one) => evaluationView(project, one))
          : refuseIssues(cut.issues, "query");
      }),
  };
}

interface EvaluationsQuery extends PageQuery {
  readonly step: number | undefined;
  /** `entity/project`. */
  readonly project?: string;
}

function readEvaluationsQuery(query: URLSearchParams): Result<EvaluationsQuery> {
  const page = readPageQuery(query, "asc");
  const [step, project] = [query.get("step"), query.get("project")];
  const issues: Issue[] = page.ok ? [] : [...page.issues];
  const check = (name: string, value: string | null, fits: (text: string) => boolean, message: string) => {
    if (value !== null && !fits(value)) issues.push({ code: "range", path: [name], message });
  };
  check("step", step, (text) => /^\d{1,9}$/.test(text), "step must be the number of a checkpoint");
  check("project", project, isProjectName, "project must be entity/project");
  if (!page.ok || issues.length > 0) return bad(issues);
  const others = { step: step === null ? undefined : Number(step), ...(project !== null && { project }) };
  return ok({ ...page.value, ...others });
}

type Found = ModelEvaluation<EvaluationEntry>;

function pageOf(found: readonly Found[], { after, limit, order }: PageQuery): Result<Page<Found>> {
  const ordered = order === "desc" ? found.toReversed() : found;
  const from = after === undefined ? 0 : 1 + ordered.findIndex(({ evaluation }) => evaluation.id === after);
  if (after !== undefined && from === 0)
    return bad([
      { code: "after", path: ["after"], message: `the list has no evaluation ${after.slice(0, 64)}` },
    ]);
  return ok({ items: ordered.slice(from, from + limit), hasMore: ordered.length > from + limit });
}

function evaluationView(project: string, { evaluation, version }: Found): View {
  const { id, name, model, started_at, ended_at, trials } = evaluation;
  const alias = version.kind === "alias" ? version.alias : version.kind === "latest" ? "latest" : null;
  const step = stepOf(version) ?? null;
  return {
    id,
    project,
    name,
    model,
    step,
    alias: step === null ? alias : null,
    started_at,
    ended_at,
    trials,
  };
}

/** The step that a version names permanently; undefined for a movable name. `v7` is another name of `step7`. */
function stepOf(version: Version): number | undefined {
  if (version.kind === "step") return version.step;
  const index = version.kind === "alias" ? /^v(0|[1-9]\d{0,8})$/.exec(version.alias)?.[1] : undefined;
  return index === undefined ? undefined : Number(index);
}
