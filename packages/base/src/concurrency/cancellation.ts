/** Tells whether the caller has lost interest; an `AbortSignal` does. */
export interface Cancellation {
  /** True once the answer is no longer needed. */
  readonly aborted: boolean;
}
