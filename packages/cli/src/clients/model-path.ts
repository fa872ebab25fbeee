// Names of models on the command line.

import { EXIT, Failure } from "../terminal/failure.ts";

/** A model's name. */
export interface ModelPath {
  /** Default: the server's. */
  readonly entity?: string | undefined;
  readonly project: string;
  readonly name: string;
}

/** Parses a model's name on the command line. */
export function modelPath(text: string): ModelPath {
  const parts = text.split("/");
  const [entity, project, name] = parts.length === 2 ? [undefined, ...parts] : parts;
  if (parts.length > 3 || project === undefined || name === undefined || parts.includes("")) {
    throw new Failure(EXIT.usage, `"${text}" is not a model; write PROJECT/NAME or ENTITY/PROJECT/NAME`);
  }
  return { entity, project, name };
}

/** Prints the name: two or three parts separated by slashes. */
export function modelPathText({ entity, project, name }: ModelPath): string {
  return [entity, project, name].filter((part) => part !== undefined).join("/");
}
