// The data of a server over HTTP, for commands when a server has the data directory open.

import type { ImportReport } from "@assay/adapters-http/internal";
import { bad, Fault, ok, type Result } from "@assay/base";
import { Refusal } from "@assay/client";
import type { EvalResults } from "@assay/eval-engine";
import type { StatisticsAnswers, StatisticsQuestion } from "@assay/eval-engine/internal";
import type { DataAccess, ListedProject } from "@assay/server/internal";
import { projectPath, serverClient } from "../clients/server-client.ts";
import { lineChunks } from "../files/line-chunks.ts";

const PIECE = 8 * 2 ** 20;
/** The number of bad lines of an import that are quoted; further ones are counted. */
const SHOWN = 100;

/** The engine's methods. */
type EngineQuestion = "query" | StatisticsQuestion;

/** The server-sent events about evaluations, as bytes, until they have ended or `signal` is aborted. */
export async function* watchedEvents(
  url: string,
  apiKey: string | undefined,
  project: string,
  evaluations: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    const asked = { path: projectPath(project), query: { evaluation: evaluations }, signal };
    const client = serverClient(url, apiKey);
    yield* streamOf(await client.open("GET /v2/{entity}/{project}/eval_results/watch", asked), url);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** The data of the server at `url`; requests are sent with `apiKey` if given. */
export function remoteData(url: string, apiKey: string | undefined): DataAccess {
  const { ask, open } = serverClient(url, apiKey);

  /** An answer as the engine returns it, or the issues of the question. */
  const answer = async <T>(project: string, question: EngineQuestion, body: unknown): Promise<Result<T>> => {
    const input = { path: projectPath(project), body: body as never };
    try {
      return ok((await ask(`POST /v2/{entity}/{project}/eval_results/${question}`, input)) as T);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 422) throw error;
      return bad(error.issues.map(({ loc, msg, type }) => ({ path: loc, message: msg, code: type })));
    }
  };

  return {
    where: url,
    query: (project, body) => answer<EvalResults>(project, "query", body),
    statistics: <Question extends StatisticsQuestion>(question: Question, project: string, body: unknown) =>
      answer<StatisticsAnswers[Question]>(project, question, body),
    async listProjects() {
      const listed: ListedProject[] = [];
      for (let after: string | undefined; ; ) {
        const { projects, next } = await ask("GET /v2/projects", { query: { after } });
        for (const { entity, project, ...of } of projects)
          listed.push({ project: `${entity}/${project}`, ...of });
        if (next === null) return listed;
        after = next;
      }
    },
    async evaluations(project, { evaluationRef, ...choice } = {}) {
      const query = { ...choice, evaluation_ref: evaluationRef };
      const input = { path: projectPath(project), query };
      return (await ask("GET /v2/{entity}/{project}/eval_results/evaluations", input)).evaluations;
    },
    directions: {
      async get(project) {
        const input = { path: projectPath(project) };
        const { directions } = await ask("GET /v2/{entity}/{project}/eval_results/directions", input);
        return new Map(directions.map(({ field, direction }) => [field, direction]));
      },
      async put(project, changed) {
        const directions = Array.from(changed, ([field, direction]) => ({ field, direction }));
        const input = { path: projectPath(project), body: { directions } };
        await ask("POST /v2/{entity}/{project}/eval_results/directions", input);
      },
    },
    async importLines(project, kind, bytes) {
      let sum: ImportReport = {
        lines: 0,
        changed: 0,
        bad_lines: 0,
        bad: [],
        in_evaluations: false,
      };
      // In chunks, so that no request takes long and a lost server is noticed soon.
      for await (const piece of lineChunks(bytes, PIECE)) {
        const input = { path: projectPath(project), body: piece.bytes };
        const report = await ask(`POST /v2/{entity}/{project}/${kind}/import`, input);
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
      const input = { path: projectPath(project), query: { evaluation: evaluations ?? [] } };
      yield* streamOf(await open(`GET /v2/{entity}/{project}/${kind}/export`, input), url);
    },
    async close() {},
  };
}

/** The body of an answer as it arrives. */
async function* streamOf(response: Response, url: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) yield piece;
  } catch (error) {
    throw new Fault("unavailable", `the server at ${url} closed the connection before the end`, {
      cause: error,
    });
  }
}
