// The one function through which the page gets all its data, and how its answers are read.

/** Answers a request: `fetch` of a served page, a handler in a worker of a page that is a file, or one of a test. */
export type Ask = (request: Request) => Promise<Response>;

/** Why a request was refused. */
export class Refusal extends Error {
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The issues of a 422: what is wrong, and where. */
  readonly issues: readonly Issue[];
  /** Seconds after which a retry may succeed; undefined when unknown. */
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

/** The parts of a request beside its path. */
export interface Asking {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a request and returns the answer. Throws a `Refusal` for any answer that is not a success. */
export async function asked(ask: Ask, url: string, asking: Asking = {}): Promise<Response> {
  const { method = asking.body === undefined ? "GET" : "POST", body, headers, signal } = asking;
  const request = new Request(url, {
    method,
    // Without this, the browser would open its own password box, because a 401 offers Basic. There are no cookies.
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
