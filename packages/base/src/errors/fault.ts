// Fault: the only class thrown when the outside world fails. Callers branch on `code`, never on text.

/**
 * The kind of failure: `unavailable` (down, or broke off), `overloaded` (retry later), `timeout`, `cancelled` (by the
 * caller), `denied` (credentials), `missing` (something required does not exist), `conflict` (someone else has it),
 * `corrupt` (stored data is invalid), `exhausted` (disk, memory, quota). It determines whether a retry can help.
 */
export type FaultCode =
  | "unavailable"
  | "overloaded"
  | "timeout"
  | "cancelled"
  | "denied"
  | "missing"
  | "conflict"
  | "corrupt"
  | "exhausted";

const RETRYABLE: ReadonlySet<FaultCode> = new Set(["unavailable", "overloaded", "timeout"]);

/** A failure of the outside world: storage, network, an engine. The message may be shown; the cause may not. */
export class Fault extends Error {
  /** The kind of failure, for callers to branch on. */
  readonly code: FaultCode;
  /** Our file that could not be read or written, or is invalid; undefined if no file is involved. */
  readonly file: string | undefined;

  /** A fault of kind `code`. `cause` and `file` are for logs and never shown to a client. */
  constructor(
    code: FaultCode,
    message: string,
    options?: { readonly cause?: unknown; readonly file?: string | undefined },
  ) {
    super(message, options);
    this.name = "Fault";
    this.code = code;
    this.file = options?.file;
  }

  /** Whether the same call may succeed later. */
  get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }

  /** `error` itself if it is a fault already, else a fault of kind `code` with `error` as its cause. */
  static from(error: unknown, code: FaultCode, message: string): Fault {
    return error instanceof Fault ? error : new Fault(code, message, { cause: error });
  }
}
