// assay doctor: checks every file of a data directory, and repairs what can be repaired.

import { mendDirectory } from "@assay/adapters-duckdb";
import { EXIT } from "../failure.ts";
import { print, say, type World } from "../world.ts";

/**
 * Repairs a data directory and prints what was found. The exit code is that of a failure if something cannot be
 * repaired.
 */
export async function doctorCommand(world: World, directory: string): Promise<number> {
  const { found, lost } = await mendDirectory(directory);
  for (const message of found) await print(world, message);
  for (const message of lost) say(world, `assay: ${message}`);
  await print(
    world,
    lost.length === 0 ? `no damage found in ${directory}` : `${lost.length} faults remain, listed above`,
  );
  return lost.length === 0 ? EXIT.ok : EXIT.failed;
}
