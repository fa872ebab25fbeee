// The routes that the page uses, by name.

import type { Schemas } from "@assay/client";
import type {
  CompareBody,
  CompareResults,
  EvalResults,
  EvalResultsQueryBody,
  KeptDirection,
  RankingBody,
  RankingResults,
  SlicesBody,
  SlicesResults,
} from "@assay/eval-engine";
import type { RowGroupsBody, RowGroupsResults } from "@assay/eval-engine/internal";
import { type Ask, type Asking, asked, askedJson } from "../transport/ask.ts";
import type { FieldList, ListedEvaluation, ListedProject, RowPage } from "./answers.ts";
import type { PageBody } from "./questions.ts";

/** Sends requests to the routes of a server. Every method throws a `Refusal` if it is not answered. */
export interface Api {
  json<T>(path: string, asking?: Asking): Promise<T>;
  /** The response itself, to read as it arrives. */
  open(path: string, asking?: Asking): Promise<Response>;
  /** All projects. */
  projects(signal?: AbortSignal): Promise<readonly ListedProject[]>;
  evaluations(project: string, signal?: AbortSignal): Promise<readonly ListedEvaluation[]>;
  query(project: string, body: EvalResultsQueryBody, signal?: AbortSignal): Promise<EvalResults>;
  compare(project: string, body: CompareBody, signal?: AbortSignal): Promise<CompareResults>;
  slices(project: string, body: SlicesBody, signal?: AbortSignal): Promise<SlicesResults>;
  ranking(project: string, body: RankingBody, signal?: AbortSignal): Promise<RankingResults>;
  groups(project: string, body: RowGroupsBody, signal?: AbortSignal): Promise<RowGroupsResults>;
  page(project: string, body: PageBody, signal?: AbortSignal): Promise<RowPage>;
  /** The fields for conditions, with their most common values. */
  fields(project: string, body: object, signal?: AbortSignal): Promise<FieldList>;
  /** Saves the directions of scores in the project. */
  sayDirection(project: string, field: string, direction: KeptDirection): Promise<void>;
  /** The address of a route, for people to copy. */
  address(path: string): string;
}

/** The number of projects per request. */
const PROJECTS = 200;

/** The routes below `base`, an origin. */
export function apiOf(ask: Ask, base: string): Api {
  const address = (path: string) => `${base}${path}`;
  const json = <T>(path: string, asking?: Asking) => askedJson<T>(ask, address(path), asking);
  const results = <T>(what: string) => {
    return (project: string, body: unknown, signal?: AbortSignal) =>
      json<T>(`${projectPath(project)}/eval_results/${what}`, { body, ...(signal && { signal }) });
  };
  return {
    json,
    address,
    open: (path, asking) => asked(ask, address(path), asking),
    projects: async (signal) => {
      const found: ListedProject[] = [];
      let after = "";
      for (;;) {
        const path = `/v2/projects?limit=${PROJECTS}${after}`;
        const { projects, next } = await json<Schemas["ProjectList"]>(path, signal && { signal });
        found.push(...projects);
        if (next == null) return found;
        after = `&after=${encodeURIComponent(next)}`;
      }
    },
    evaluations: async (project, signal) => {
      const path = `${projectPath(project)}/eval_results/evaluations`;
      const { evaluations } = await json<{ evaluations: ListedEvaluation[] }>(path, signal && { signal });
      return evaluations;
    },
    query: results("query"),
    compare: results("compare"),
    slices: results("slices"),
    ranking: results("ranking"),
    groups: results("groups"),
    page: results("page"),
    fields: results("fields"),
    sayDirection: async (project, field, direction) => {
      const body = { directions: [{ field, direction }] };
      await json(`${projectPath(project)}/eval_results/directions`, { body });
    },
  };
}

/** The path of a project's routes. */
export function projectPath(project: string): string {
  return `/v2/${project.split("/").map(encodeURIComponent).join("/")}`;
}
