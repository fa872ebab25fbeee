// The error for a refusal by the server, with the server's message and the paths of invalid fields.

import { Fault, type FaultCode } from "@assay/base";

/** One fault in a request. */
export interface RequestIssue {
  /** Its path, such as `["body", "filters", 0]`. */
  readonly loc: readonly (string | number)[];
  /** What is wrong, and what would be valid. */
  readonly msg: string;
  /** The kind of fault, for programs. */
  readonly type: string;
}

const CODES: ReadonlyMap<number, FaultCode> = new Map([
  [401, "denied"],
  [403, "denied"],
  [404, "missing"],
  [429, "overloaded"],
  [507, "exhausted"],
]);

/**
 * An unsuccessful response. It has the server's message; its code is `denied` for 401 and 403, `missing` for 404,
 * `overloaded` for 429, `exhausted` for 507, `conflict` for other 4xx and `unavailable` for other 5xx.
 */
export class Refusal extends Fault {
  /** The HTTP status. */
  readonly status: number;
  /** Every fault with its path; empty if the server only sent a sentence. */
  readonly issues: readonly RequestIssue[];
  /** Seconds to wait before a retry; undefined if the server did not say. */
  readonly retryAfter: number | undefined;
  /** The request's ID in the server's log; undefined if the server sent none. */
  readonly requestId: string | undefined;

  /** Creates a refusal with `status`. Read a server's response with `refusalOf`. */
  constructor(
    status: number,
    message: string,
    more: Partial<Pick<Refusal, "issues" | "retryAfter" | "requestId">> = {},
  ) {
    super(CODES.get(status) ?? (status < 500 ? "conflict" : "unavailable"), message);
    this.name = "Refusal";
    this.status = status;
    this.issues = more.issues ?? [];
    this.retryAfter = more.retryAfter;
    this.requestId = more.requestId;
  }
}

/** Reads an unsuccessful response. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const { status, headers } = response;
  const { message, issues } = wordsOf(await response.text().catch(() => ""), status);
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return new Refusal(status, message, {
    issues,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
    requestId: headers.get("x-request-id") ?? undefined,
  });
}

/**
 * The two error formats of the server: `detail`, a sentence or a list, and `error.message`. Proxies before it have
 * others.
 */
function wordsOf(text: string, status: number) {
  const unsaid = { message: `the server answered ${status} and did not say why`, issues: [] };
  let body: { readonly detail?: unknown; readonly error?: unknown; readonly message?: unknown } | null;
  try {
    body = JSON.parse(text);
  } catch {
    return unsaid;
  }
  const { detail, error, message } = body ?? {};
  // Some responses have both, for different clients; the list has the paths.
  if (Array.isArray(detail) && detail.length > 0 && detail.every(isIssue)) {
    const issues: readonly RequestIssue[] = detail;
    const message = issues.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ");
    return { message, issues };
  }
  const inError = (error as { readonly message?: unknown } | null | undefined)?.message;
  const said = [inError, detail, message, error].find((one) => typeof one === "string");
  return said === undefined ? unsaid : { message: said as string, issues: [] };
}

function isIssue(value: unknown): value is RequestIssue {
  const { loc, msg } = (value ?? {}) as Partial<RequestIssue>;
  return Array.isArray(loc) && typeof msg === "string";
}
