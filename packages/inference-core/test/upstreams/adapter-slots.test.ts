import { Fault } from "@assay/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AdapterLoader } from "../../src/ports/upstream-engine.ts";
import { adapterName, adapterSlots } from "../../src/upstreams/adapter-slots.ts";

/** A slow engine that loads adapters, and throws if two operations overlap. */
function slowLoader(slots: number) {
  const loaded = new Set<string>();
  const log: string[] = [];
  let working = false;
  const work = async (what: string, change: () => void) => {
    if (working) throw new Error("two operations overlap");
    working = true;
    log.push(what);
    for (let i = 0; i < 3; i++) await Promise.resolve();
    working = false;
    change();
    if (loaded.size > slots) throw new Error("too many adapters");
  };
  const loader: AdapterLoader = {
    load: (name, path) => work(`load ${name} ${path}`, () => loaded.add(name)),
    unload: (name) => work(`unload ${name}`, () => loaded.delete(name)),
  };
  return { loader, loaded, log };
}

const path = async () => "/p";

describe("adapters", () => {
  test("load once for concurrent requests, and are used after loading", async () => {
    const { loader, loaded, log } = slowLoader(2);
    const slots = adapterSlots(loader, 2);
    await Promise.all([slots.use("a", path), slots.use("a", path), slots.use("b", path)]);
    expect(log).toEqual(["load a /p", "load b /p"]);
    expect([...loaded]).toEqual(["a", "b"]);
  });

  test("in use stay loaded; of the others, the least recently used is unloaded", async () => {
    const { loader, log } = slowLoader(2);
    const slots = adapterSlots(loader, 2);
    const a = await slots.use("a", path);
    (await slots.use("b", path)).release();
    await slots.use("c", path);
    expect(log.slice(2)).toEqual(["unload b", "load c /p"]);
    await expect(slots.use("d", path)).rejects.toMatchObject({ code: "overloaded" });
    a.release();
    a.release();
    await slots.use("d", path);
    expect(log.slice(4)).toEqual(["unload a", "load d /p"]);
  });

  test("that failed to load are absent, and the next request retries", async () => {
    let tries = 0;
    const loader: AdapterLoader = {
      load: async () => {
        if (++tries === 1) throw new Fault("unavailable", "no memory");
      },
      unload: async () => {},
    };
    const slots = adapterSlots(loader, 1);
    const both = await Promise.allSettled([slots.use("a", path), slots.use("a", path)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(slots.has("a")).toBe(false);
    await slots.use("a", path);
    expect(tries).toBe(2);
  });

  test("that the engine lost are loaded again", async () => {
    const { loader, log } = slowLoader(1);
    const slots = adapterSlots(loader, 1);
    const use = await slots.use("a", path);
    use.lost();
    use.release();
    await slots.use("a", path);
    expect(log).toEqual(["load a /p", "load a /p"]);
  });

  test("that could not be unloaded stay", async () => {
    const slots = adapterSlots(
      { load: async () => {}, unload: () => Promise.reject(new Fault("timeout", "slow")) },
      1,
    );
    (await slots.use("a", path)).release();
    await expect(slots.use("b", path)).rejects.toMatchObject({ code: "timeout" });
    expect([slots.has("a"), slots.has("b")]).toEqual([true, false]);
  });

  test("in use are loaded, and there are never too many, whatever the order of events", async () => {
    const step = fc.record({ name: fc.constantFrom("a", "b", "c", "d"), wait: fc.nat(6), hold: fc.nat(6) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, count) => {
          const { loader, loaded } = slowLoader(count);
          const slots = adapterSlots(loader, count);
          const pause = async (turns: number) => {
            for (let i = 0; i < turns; i++) await Promise.resolve();
          };
          const outcomes = await Promise.all(
            steps.map(async ({ name, wait, hold }) => {
              await pause(wait);
              try {
                const use = await slots.use(name, path);
                for (let i = 0; i < hold; i++) {
                  if (!loaded.has(name)) return "used without being loaded";
                  await pause(1);
                }
                use.release();
                return "served";
              } catch (error) {
                return error instanceof Fault ? error.code : String(error);
              }
            }),
          );
          for (const outcome of outcomes) expect(["served", "overloaded"]).toContain(outcome);
        },
      ),
    );
  });
});

test("names are safe for engines, and unique to a checkpoint", () => {
  const base = {
    entity: "te/am",
    project: "démo",
    name: "my:model /x",
    baseModel: "org/model",
    step: 3,
    createdAt: 0,
    checkpoint: { id: "c1", files: [] },
  };
  const names = [
    base,
    { ...base, entity: "te" },
    { ...base, project: "demo" },
    { ...base, name: "my-model-x" },
    { ...base, step: 4 },
    { ...base, checkpoint: { id: "c2", files: [] } },
  ].map(adapterName);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9-]{1,64}$/);
  expect(new Set(names).size).toBe(names.length);
  expect(adapterName(base)).toBe(names[0]);
});
