// Random chunks of engines, valid and invalid. Values come from small pools, so that equal ones meet.

import type { EngineChunk } from "@assay/inference-core/internal";
import fc from "fast-check";

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const toolCall = fc.record(
  {
    index: fc.constantFrom(0, 0, 1, 3, null),
    id: fc.constantFrom("a", "b", "", null),
    type: fc.constantFrom("function", null),
    function: fc.record(
      { name: fc.constantFrom("f", "f", "g", ""), arguments: fc.constantFrom("", "{", "}", { x: 1 }) },
      { requiredKeys: ["name"] },
    ),
  },
  { requiredKeys: ["function"] },
);

const delta = fc.record(
  {
    role: fc.constantFrom("assistant", "assistant", "tool"),
    content: fc.constantFrom("", "a", "é😀", null, [{ type: "text", text: "part" }]),
    reasoning: fc.constantFrom("so", null),
    tool_calls: fc.array(toolCall, { maxLength: 2 }),
    refusal: fc.constant(null),
  },
  { requiredKeys: [] },
);

const logprobs = fc.constantFrom(
  null,
  { content: [{ token: "a", logprob: -1 }] },
  { content: [{ token: "a", logprob: -1, bytes: [97], top_logprobs: [{ token: "b", logprob: -2 }] }] },
  { content: null },
);

const choice = (finish: fc.Arbitrary<unknown>) =>
  fc.record(
    {
      index: fc.constantFrom(0, 0, 0, 1, 7),
      delta,
      finish_reason: finish,
      logprobs,
      stop_reason: fc.constant(null),
    },
    { requiredKeys: ["delta"] },
  );

const usage = fc.constantFrom(null, { prompt_tokens: 3, completion_tokens: 9 }, { prompt_tokens: 0 }, "many");

const chunk = (finish: fc.Arbitrary<unknown>): fc.Arbitrary<EngineChunk> =>
  fc.record(
    {
      id: fc.constantFrom("x", "y"),
      choices: fc.array(choice(finish), { minLength: 1, maxLength: 1 }),
      usage: maybe(usage),
    },
    { requiredKeys: ["choices"] },
  );

/** Chunks of one answer: most start correctly and end with a reason, so that not every answer is a fault. */
export const engineChunks: fc.Arbitrary<readonly EngineChunk[]> = fc
  .tuple(
    fc.array(chunk(fc.constantFrom(null, null, null, "")), { maxLength: 6 }),
    fc.array(chunk(fc.constantFrom("stop", "length", "tool_calls", "eos", "abort")), { maxLength: 2 }),
    fc.array(fc.record({ choices: fc.constant([]), usage: maybe(usage) }), { maxLength: 2 }),
  )
  .map((parts) => parts.flat());
