import type { CallStore } from "./ports/call-store.ts";
import { unknownCall } from "./trace-call.ts";

const IDS_AT_ONCE = 1000;

/**
 * Deletes these calls and everything below them, at `now`. Gives how many calls that is. In one put: where a store
 * writes all of it or none, a reader never sees a parent gone and its children still there.
 */
export async function deleteCalls(
  store: CallStore,
  project: string,
  ids: readonly string[],
  now: string,
): Promise<number> {
  const live = (await store.get(project, [...new Set(ids)])).filter((call) => call !== undefined);
  const doomed = new Set(live.map(({ id }) => id));
  // Level by level; a cycle of parents ends because no call is visited twice.
  const level = [...doomed];
  while (level.length > 0) {
    const parentIds = level.splice(0, IDS_AT_ONCE);
    for await (const children of store.scan(project, { parentIds })) {
      for (const { id } of children) {
        if (doomed.has(id)) continue;
        doomed.add(id);
        level.push(id);
      }
    }
  }
  await store.put([...doomed].map((id) => ({ ...unknownCall(project, id), deleted_at: now })));
  return doomed.size;
}
