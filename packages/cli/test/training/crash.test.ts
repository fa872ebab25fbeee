// Kills the server and its workers during training, at different moments each round. Afterwards nothing acknowledged is
// missing, and every job ends.

import { setTimeout } from "node:timers/promises";
import { rounds } from "@assay/testing/cases";
import { jobEnd, type Served, startSft } from "@assay/testing/training-server";
import { expect, test } from "vitest";
import { checkJob, checkModel, Home, jobsOf, Seen } from "./crash-checks.ts";

const ROUNDS = rounds(3, 1);
/** The longest time that a server lives once it has jobs, in milliseconds. */
const LONGEST_LIFE = 2500;

const ROWS = Array.from({ length: 12 }, (_, i) => ({
  messages: [
    { role: "user", content: `${i}?` },
    { role: "assistant", content: "x".repeat(20) },
  ],
}));

/** Reads jobs and submits more, for all models concurrently, until the server dies. */
async function live(server: Served, models: readonly string[], jobs: string[], seen: Seen): Promise<void> {
  for (;;) {
    await Promise.all(
      models.map(async (model) => {
        const job = await startSft(server, model, ROWS, { epochs: 3, learning_rate: 5e-5 });
        jobs.push(job.id);
      }),
    );
    for (const id of jobs.slice(-4)) await seen.look(server, id);
    await setTimeout(300);
  }
}

test(
  "after kill -9 of server and workers, nothing acknowledged is lost, and every job ends",
  async () => {
    const home = new Home({}, [{ type: "tiny" }]);
    const seen = new Seen();
    const totals = new Map<string, number>();

    let server = await home.serve();
    for (let round = 0; round < ROUNDS; round++) {
      const models = await Promise.all(
        ["assay/tiny", "test/process", "assay/tiny-2"].map(async (base_model, i) => {
          const wish = { project: "p", name: `round-${round}-${i}`, base_model };
          return (await server.ask<{ id: string }>("POST", "/models", wish)).id;
        }),
      );
      const jobs: string[] = [];
      const { stop } = server;
      const dying = setTimeout(20 + ((round * 613) % LONGEST_LIFE)).then(() => stop("SIGKILL"));
      // Fails when the server dies, in the middle of a request.
      const error = await live(server, models, jobs, seen).catch((thrown: unknown) => thrown);
      if (!(error instanceof TypeError)) throw error;
      await dying;
      expect(server.stderr()).toBe("");
      if (round % 2 === 0) home.killWorkers();

      server = await home.serve();
      const killing = setTimeout((round * 331) % 700).then(() => home.killWorkers());
      // Includes jobs that the server accepted but died before acknowledging.
      const submitted = await Promise.all(models.map((model) => jobsOf(server, model)));
      const known = submitted.flat().map(({ id }) => id);
      for (const id of jobs) expect(known).toContain(id);
      for (const id of known) {
        const job = await jobEnd(server, id);
        checkJob(job, await seen.look(server, id));
        expect(job.status).not.toBe("cancelled");
        const end = job.error?.code ?? job.status;
        totals.set(end, (totals.get(end) ?? 0) + 1);
      }
      for (const model of models) await checkModel(server, model, await jobsOf(server, model));
      await killing;
    }
    await server.stop();
    expect(await server.ended).toBe(0);
    expect(server.stderr()).toBe("");
    if (process.env["ASSAY_CRASH_ROUNDS"] !== undefined) console.log(Object.fromEntries(totals));
  },
  600_000 + ROUNDS * 60_000,
);
