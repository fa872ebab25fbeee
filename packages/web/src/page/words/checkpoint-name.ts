// The name of a checkpoint where a request names a model.

/** The name by which chats ask for a checkpoint. */
export function checkpointName(model: string, step: number): string {
  return `wandb-artifact:///${model}:step${step}`;
}
