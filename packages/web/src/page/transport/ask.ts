// The only function through which the page gets data, and how its answers are read.

/** Answers a request: `fetch` in a served page, a handler in a worker in an exported page, or a fake in a test. */
export type Ask = (request: Request) => Promise<Response>;

/** Why a request was refused. */
export class Refusal extends Error {
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The issues of a 422 with their paths. */
  readonly issues: readonly Issue[];
  /** Seconds to wait before a retry; undefined if unknown. */
  readonly retryAfter: number | undefined;
  /** Whether the request was sent with an API key. */
  readonly hadKey: boolean;

  constructor(
    status: number,
    message: string,
    more: { issues?: readonly Issue[]; retryAfter?: number; hadKey?: boolean } = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.issues = more.issues ?? [];
    this.retryAfter = more.retryAfter;
    this.hadKey = more.hadKey ?? false;
  }
}

/** One error in a request. */
export interface Issue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** The parts of a request in addition to its path. */
export interface Asking {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a request and returns the answer. Throws a `Refusal` for any unsuccessful answer. */
export async function asked(ask: Ask, url: string, asking: Asking = {}): Promise<Response> {
  const { method = asking.body === undefined ? "GET" : "POST", body, headers, signal } = asking;
  const request = new Request(url, {
    method,
    // Without this, the browser would open its own password dialog, because a 401 offers Basic. Cookies are not used.
    credentials: "omit",
    headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const response = await ask(request).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refusal(0, "the server does not answer");
  });
  // The function that sends the request adds the key.
  if (!response.ok) throw await refusalOf(response, request.headers.has("Authorization"));
  return response;
}

/** Requests JSON. */
export async function askedJson<T>(ask: Ask, url: string, asking?: Asking): Promise<T> {
  return (await (await asked(ask, url, asking)).json()) as T;
}

async function refusalOf(response: Response, hadKey: boolean): Promise<Refusal> {
  const text = await response.text();
  const detail = detailOf(text);
  const issues = Array.isArray(detail) ? (detail as Issue[]) : [];
  const message =
    typeof detail === "string"
      ? detail
      : issues.map(({ msg }) => msg).join("; ") || `status ${response.status}`;
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return new Refusal(response.status, message, {
    issues,
    hadKey,
    ...(Number.isFinite(seconds) && { retryAfter: seconds }),
  });
}

function detailOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly detail?: unknown }).detail;
  } catch {
    return undefined;
  }
}
