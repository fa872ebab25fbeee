// Requests to the training interface of a server. What it refuses is a failure in its own words.

import { Fault } from "@assay/base";
import { EXIT, Failure } from "./failure.ts";

/** Asks for a path below `/v1/preview`, or for a whole one that begins with a slash. Throws a `Fault`, `unavailable` when nothing answers, or a `Failure`. */
export type TrainingRequests = <T>(method: string, path: string, init?: RequestInit) => Promise<T>;

/** A page of a list, as the server sends it. */
export interface List<T> {
  readonly data: readonly T[];
  readonly last_id: string;
  readonly has_more: boolean;
}

/** Requests to the server at `url`, which is asked with `apiKey` when there is one. */
export function trainingRequests(url: string, apiKey: string | undefined): TrainingRequests {
  const authorization: Record<string, string> =
    apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };

  return async <T>(method: string, path: string, init: RequestInit = {}): Promise<T> => {
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${url}${path.startsWith("/") ? path : `/v1/preview/${path}`}`, {
        ...init,
        method,
        headers: { ...authorization, ...(init.headers as Record<string, string> | undefined) },
      });
      text = await response.text();
    } catch (error) {
      throw Fault.from(error, "unavailable", `the server at ${url} does not answer`);
    }
    if (response.ok) return JSON.parse(text) as T;
    if (response.status === 401)
      throw new Fault("denied", `the server at ${url} asks for its API key: set ASSAY_API_KEY, or --api-key`);
    const reason = reasonOf(text);
    if (response.status >= 500) throw new Fault("unavailable", `the server at ${url} failed: ${reason}`);
    throw new Failure(response.status === 422 ? EXIT.usage : EXIT.failed, reason);
  };
}

/** What a refusal says is wrong, and where. */
function reasonOf(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    if (typeof detail === "string") return detail;
    const issues = detail as readonly { readonly loc: readonly (string | number)[]; readonly msg: string }[];
    return issues.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ");
  } catch {
    return "it refused, and gave no reason that could be understood";
  }
}
