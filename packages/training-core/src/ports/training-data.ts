// TrainingData: resolves the addresses of training data.

/** Opens the training data at an address (`file:`, `https:`, `upload:`, `wandb-artifact:` and so on). */
export interface TrainingData {
  /**
   * The bytes at `url` (JSON lines), or undefined if this source does not serve such addresses. The fault `missing` or
   * `denied` if there is nothing to read, `unavailable` or `timeout` if a later attempt may succeed.
   */
  open(url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>;
}
