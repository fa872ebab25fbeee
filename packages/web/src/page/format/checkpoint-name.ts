// The name of a checkpoint where a request names a model.

/** The name of a checkpoint in chats. */
export function checkpointName(model: string, step: number): string {
  return `wandb-artifact:///${model}:step${step}`;
}
