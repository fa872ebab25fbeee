// The name of a checkpoint as the model of a request.

/** The name of a checkpoint in chats. */
export function checkpointName(model: string, step: number): string {
  return `wandb-artifact:///${model}:step${step}`;
}
