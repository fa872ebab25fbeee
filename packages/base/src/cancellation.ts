/** Says whether the caller has lost interest; an `AbortSignal` is one. */
export interface Cancellation {
  /** True as soon as the answer is no longer wanted. */
  readonly aborted: boolean;
}
