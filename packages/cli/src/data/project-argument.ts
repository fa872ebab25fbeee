// ENTITY/PROJECT on the command line.

import { readProjectPath } from "@assay/adapters-http/project-path";
import { EXIT, Failure } from "../terminal/failure.ts";

/**
 * The project that `text` names. Fails when it is not `ENTITY/PROJECT`, with the message that it is `neither`, nor a
 * project.
 */
export function projectArgument(text: string, neither?: string): string {
  const [entity = "", project = "", ...more] = text.split("/");
  if (entity === "" || project === "" || more.length > 0) {
    throw new Failure(
      EXIT.usage,
      `"${text}" is ${neither === undefined ? "not" : `neither ${neither} nor`} a project; write ENTITY/PROJECT, such as acme/demo`,
    );
  }
  const read = readProjectPath(entity, project);
  if (read.ok) return read.value;
  throw new Failure(
    EXIT.usage,
    `"${text}" is not a project: ${read.issues.map(({ message }) => message).join("; ")}`,
  );
}
