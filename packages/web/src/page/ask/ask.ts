// The one function through which the page learns anything, and what it makes of the answers.

/** Answers a request: `fetch` of a served page, a handler in a worker of a page that is a file, or one of a test. */
export type Ask = (request: Request) => Promise<Response>;

/** What a request was refused with. */
export class Refusal extends Error {
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** What is wrong where, of a 422. */
  readonly issues: readonly Issue[];
  /** Seconds after which it may go better; undefined where nobody knows. */
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

/** One thing that is wrong with a request. */
export interface Issue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** What a request says, beside its path. */
export interface Asking {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Asks, and gives the answer to read. Throws a `Refusal` for any that is no success. */
export async function asked(ask: Ask, url: string, asking: Asking = {}): Promise<Response> {
  const { method = asking.body === undefined ? "GET" : "POST", body, headers, signal } = asking;
  const request = new Request(url, {
    method,
    // The browser's own password box would come up otherwise, because a 401 offers Basic; and there are no cookies.
    credentials: "omit",
    headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const response = await ask(request).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refusal(0, "the server does not answer");
  });
  // The key is put in by who sends the request.
  if (!response.ok) throw await refusalOf(response, request.headers.has("Authorization"));
  return response;
}

/** Asks for JSON. */
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
