import { expectTypeOf, test } from "vitest";
import { type Answer, assayClient, type Schemas } from "../src/index.ts";

const client = assayClient({ url: "http://127.0.0.1:7777" });

test("an answer has the documented type", () => {
  expectTypeOf<Answer<"GET /v1/preview/training-jobs/{training_job_id}">>().toEqualTypeOf<
    Schemas["TrainingJob"]
  >();
  expectTypeOf(client.ask("GET /v1/models")).resolves.toHaveProperty("data");
});

test("an operation requires its parameters, and accepts no unknown ones", () => {
  // @ts-expect-error its path is missing
  void client.ask("GET /v1/preview/training-jobs/{training_job_id}");
  // @ts-expect-error there is no such operation
  void client.ask("GET /v1/nothing");
  // @ts-expect-error there is no such parameter
  void client.ask("GET /v1/preview/training-jobs", { query: { nothing: 1 } });
  // @ts-expect-error a limit is a number
  void client.ask("GET /v1/preview/training-jobs", { query: { limit: "3" } });
});

test("a response that is not JSON can only be opened", () => {
  // @ts-expect-error lines are read as they come
  void client.ask("GET /v2/{entity}/{project}/calls/export", { path: { entity: "a", project: "b" } });
  expectTypeOf(client.open("GET /v1/backup")).resolves.toEqualTypeOf<Response>();
});
