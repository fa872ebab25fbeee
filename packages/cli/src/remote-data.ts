// The data of a server, over HTTP: what a command uses when a server has the data directory open.

import type { ImportReport, ValidationError } from "@assay/adapters-http";
import { bad, Fault, type FaultCode, ok, type Result } from "@assay/base";
import type {
  CountedEvaluation,
  EvalResults,
  StatisticsAnswers,
  StatisticsQuestion,
} from "@assay/eval-engine";
import type { DataAccess, ListedProject } from "@assay/server";
import { EXIT, Failure } from "./failure.ts";
import { piecesOf } from "./pieces.ts";

const PIECE = 8 * 2 ** 20;
/** Bad lines of an import that are kept to be shown; more are counted. */
const SHOWN = 100;

type Ask = (
  path: string,
  type?: string,
  body?: string | Uint8Array<ArrayBuffer>,
  signal?: AbortSignal,
) => Promise<Response>;

/** Asks the server at `url` below `/v2/`. An answer is a 2xx or a 422; anything else is thrown. */
function asking(url: string, apiKey: string | undefined): Ask {
  const authorization: { readonly [name: string]: string } =
    apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };

  return async (path, type, body, signal) => {
    let response: Response;
    try {
      response = await fetch(`${url}/v2/${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { ...authorization, ...(type !== undefined && { "Content-Type": type }) },
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      throw new Fault("unavailable", `the server at ${url} does not answer`, { cause: error });
    }
    if (response.ok || response.status === 422) return response;
    if (response.status === 401) {
      throw new Fault("denied", `the server at ${url} asks for its API key: set ASSAY_API_KEY, or --api-key`);
    }
    const code: FaultCode = response.status === 404 ? "missing" : "unavailable";
    throw new Fault(code, `the server at ${url} answered ${response.status}: ${await detailOf(response)}`);
  };
}

/** The server-sent events about evaluations, as bytes, until they have ended or `signal` is aborted. */
export async function* watchedEvents(
  url: string,
  apiKey: string | undefined,
  project: string,
  evaluations: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    const path = `${pathOf(project)}/eval_results/watch?${namesOf(evaluations)}`;
    yield* streamOf(await asking(url, apiKey)(path, undefined, undefined, signal), url);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** An answer of `GET /v2/projects`. */
interface ProjectPage {
  readonly projects: readonly (ListedProject & { readonly entity: string })[];
  readonly next: string | null;
}

/** The data of the server at `url`, which is asked with `apiKey` when there is one. */
export function remoteData(url: string, apiKey: string | undefined): DataAccess {
  const ask = asking(url, apiKey);

  const answer = async <T>(project: string, question: string, body: unknown): Promise<Result<T>> => {
    const path = `${pathOf(project)}/eval_results/${question}`;
    const response = await ask(path, "application/json", JSON.stringify(body));
    if (response.ok) return ok((await response.json()) as T);
    const { detail } = (await response.json()) as { readonly detail: readonly ValidationError[] };
    return bad(detail.map(({ loc, msg, type }) => ({ path: loc, message: msg, code: type })));
  };

  return {
    where: url,
    query: (project, body) => answer<EvalResults>(project, "query", body),
    statistics: <Question extends StatisticsQuestion>(question: Question, project: string, body: unknown) =>
      answer<StatisticsAnswers[Question]>(project, question, body),
    async listProjects() {
      const listed: ListedProject[] = [];
      for (let after = ""; ; ) {
        const response = await ask(`projects?${new URLSearchParams(after === "" ? {} : { after })}`);
        const page = (await response.json()) as ProjectPage;
        for (const { entity, project, ...of } of page.projects)
          listed.push({ project: `${entity}/${project}`, ...of });
        if (page.next === null) return listed;
        after = page.next;
      }
    },
    async evaluations(project, { evaluationRef, ...choice } = {}) {
      const given = Object.entries({ ...choice, evaluation_ref: evaluationRef });
      const asked = given.flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      );
      const response = await ask(`${pathOf(project)}/eval_results/evaluations?${new URLSearchParams(asked)}`);
      return ((await response.json()) as { readonly evaluations: readonly CountedEvaluation[] }).evaluations;
    },
    async importLines(project, kind, bytes) {
      let sum: ImportReport = {
        lines: 0,
        changed: 0,
        bad_lines: 0,
        bad: [],
        in_evaluations: false,
      };
      // In pieces, so that no request takes long and a server that goes away is noticed soon.
      for await (const piece of piecesOf(bytes, PIECE)) {
        const response = await ask(`${pathOf(project)}/${kind}/import`, "application/x-ndjson", piece.bytes);
        const report = (await response.json()) as ImportReport;
        const bad = report.bad.map(({ line, reason }) => ({ line: line + piece.linesBefore, reason }));
        sum = {
          lines: sum.lines + report.lines,
          changed: sum.changed + report.changed,
          bad_lines: sum.bad_lines + report.bad_lines,
          bad: [...sum.bad, ...bad.slice(0, SHOWN - sum.bad.length)],
          in_evaluations: sum.in_evaluations || report.in_evaluations,
        };
      }
      return sum;
    },
    async *exportLines(project, kind, evaluations) {
      yield* streamOf(await ask(`${pathOf(project)}/${kind}/export?${namesOf(evaluations ?? [])}`), url);
    },
    async close() {},
  };
}

/** The body of an answer as it comes. */
async function* streamOf(response: Response, url: string): AsyncGenerator<Uint8Array> {
  if (!response.ok) {
    const { detail } = (await response.json()) as { readonly detail: readonly ValidationError[] };
    throw new Failure(EXIT.usage, detail.map(({ msg }) => msg).join("; "));
  }
  try {
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) yield piece;
  } catch (error) {
    throw new Fault("unavailable", `the server at ${url} broke off in the middle`, { cause: error });
  }
}

function namesOf(evaluations: readonly string[]): URLSearchParams {
  return new URLSearchParams(evaluations.map((id): [string, string] => ["evaluation", id]));
}

function pathOf(project: string): string {
  return project.split("/").map(encodeURIComponent).join("/");
}

async function detailOf(response: Response): Promise<string> {
  try {
    const { detail } = (await response.json()) as { readonly detail?: unknown };
    return typeof detail === "string" ? detail : "nothing that could be understood";
  } catch {
    return "nothing that could be understood";
  }
}
