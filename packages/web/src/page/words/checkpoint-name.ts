// What a checkpoint is called where a model is asked for.

/** The name by which chats ask for a checkpoint. */
export function checkpointName(model: string, step: number): string {
  return `wandb-artifact:///${model}:step${step}`;
}
