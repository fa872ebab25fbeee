// Fuzz target for the messages of remote workers: corrupted bodies. Each is accepted completely or refused with a
// position. Accepted messages arrive unchanged and in order, and steps never decrease.

import type { FuzzTarget } from "@assay/testing/fuzz-target";
import { change, mutatedBytes } from "@assay/testing/mutated-bytes";
import { memoryArtifactStore } from "@assay/training-core/testing";
import fc from "fast-check";
import { workerGateway } from "../src/index.ts";

const ATTEMPT = 2;
const LONGEST_REFUSAL = 64 * 1024;

const step = fc.oneof(fc.nat(5), fc.constantFrom(-1, 0.5, 2 ** 53, "1", null));
const message = fc.oneof(
  fc.record({ type: fc.constant("step"), step, metrics: fc.dictionary(fc.string(), fc.double()) }),
  fc.record({ type: fc.constantFrom("heartbeat", "stopped", "done", "__proto__") }),
  fc.record({ type: fc.constant("log"), text: fc.string({ unit: "binary" }) }),
  fc.record({ type: fc.constant("checkpoint"), step, files: fc.array(fc.anything(), { maxLength: 2 }) }),
  fc.anything(),
);
const body = fc
  .tuple(
    fc.record({
      attempt: fc.oneof({ weight: 9, arbitrary: fc.constant(ATTEMPT) }, { weight: 1, arbitrary: fc.nat(4) }),
      messages: fc.array(message, { maxLength: 4 }),
    }),
    fc.array(change, { maxLength: 2 }),
    fc.constantFrom(1, 1, 1, 400),
  )
  .map(([{ attempt, messages }, changes, times]) => {
    // `anything` may generate BigInts, which JSON cannot represent.
    const many = Array.from({ length: times }, () => messages).flat();
    const text = JSON.stringify({ attempt, messages: many }, (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    return mutatedBytes(Buffer.from(text), changes);
  });
const asked = fc.record({
  method: fc.constantFrom("POST", "POST", "POST", "PUT"),
  path: fc.constantFrom("messages", "messages", "messages", "files", "task", "files/..", "%00"),
  body,
});

/** Sends all generated requests, and checks each answer and the messages received. */
async function checkRequests(
  requests: readonly { method: string; path: string; body: Uint8Array }[],
): Promise<void> {
  const failures: unknown[] = [];
  const gateway = workerGateway(memoryArtifactStore(), (error) => failures.push(error));
  const run = gateway.open({
    job_id: "j",
    attempt: ATTEMPT,
    steps_reported: 1,
    model: { id: "m", entity: "e", project: "p", name: "n", base_model: "b" },
    parent: { step: 1, files: [] },
    spec: { kind: "rl", trajectory_groups: [], config: {} },
  });
  let steps = 1;
  for (const { method, path, body } of requests) {
    const answer = await gateway.fetch(
      new Request(`http://host${run.path}/${path}`, { method, body: new Uint8Array(body) }),
    );
    const text = await answer.text();
    const said = `${method} ${path}: ${answer.status} ${text.slice(0, 200)}`;
    if (failures.length > 0) throw new Error(said, { cause: failures[0] });
    if (![200, 404, 409, 422].includes(answer.status)) throw new Error(said);
    if (text.length > LONGEST_REFUSAL) throw new Error(`a refusal of ${text.length} characters: ${said}`);
    const heard = await run.nextReports(AbortSignal.abort());
    if (path !== "messages" || answer.status !== 200) {
      if (heard.length > 0) throw new Error(`refused messages were received: ${said}`);
      continue;
    }
    const { messages } = JSON.parse(Buffer.from(body).toString("utf8"));
    const types = (all: readonly { readonly type: string }[]) => all.map(({ type }) => type).join();
    if (types(heard) !== types(messages)) throw new Error(`other messages were received: ${said}`);
    for (const one of heard) if (one.type === "step") steps = Math.max(steps, one.step);
    if (JSON.parse(text).steps_reported !== steps)
      throw new Error(`the gateway reports other steps than ${steps}: ${said}`);
  }
}

/** For `npm run fuzz`. */
export const workersTarget: FuzzTarget = {
  name: "workers",
  what: "messages of remote workers are accepted completely and in order, or refused with a position",
  patience: 2000,
  memory: 256,
  few: 150,
  property: () => fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 6 }), checkRequests),
};
