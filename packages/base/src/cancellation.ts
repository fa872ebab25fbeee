/** Says whether the caller has lost interest; an `AbortSignal` is one. */
export interface Cancellation {
  /** True from the moment on at which nobody wants the answer any more. */
  readonly aborted: boolean;
}
