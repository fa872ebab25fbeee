// Fault: the only class thrown when the outside world fails. Callers branch on `code`, never on text.

/**
 * What kind of failure, and whether trying again can help: `unavailable` (down, or broke off), `overloaded` (said to
 * come back later), `timeout`, `cancelled` (by the caller), `denied` (credentials), `missing` (something that must be
 * there is not), `conflict` (someone else holds it), `corrupt` (what was read is not valid), `exhausted` (disk,
 * memory, quota).
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
  /** What kind of failure: callers branch on this. */
  readonly code: FaultCode;
  /** The file of ours that could not be read or written, or is not valid; undefined when no file is involved. */
  readonly file: string | undefined;

  /** A fault of kind `code`. `cause` and `file` are kept for logs and never shown to a client. */
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

  /** `error` itself when it is a fault already, else a fault of kind `code` with `error` as its cause. */
  static from(error: unknown, code: FaultCode, message: string): Fault {
    return error instanceof Fault ? error : new Fault(code, message, { cause: error });
  }
}
