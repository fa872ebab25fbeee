// TrainingData: what the address of training data resolves to.

/** Opens the training data behind an address (`file:`, `https:`, `upload:`, `wandb-artifact:`…). */
export interface TrainingData {
  /**
   * The bytes at `url` (JSON lines), or undefined when this source does not serve such addresses. The fault
   * `missing` or `denied` when there is nothing to read there, `unavailable` or `timeout` when it may be later.
   */
  open(url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>;
}
