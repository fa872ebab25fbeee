// The laws of a loader of adapters: loading and unloading are idempotent, and failures are reported.

import { Fault, type Law, type Open } from "@assay/base";
import { expectSame, expectThat, lawsFor } from "@assay/base/internal";
import type { AdapterLoader } from "../ports/upstream-engine.ts";

/** A loader, and the engine that it loads adapters in. */
export interface LoaderBench {
  /** What the laws are about. */
  readonly loader: AdapterLoader;
  /** A directory that holds an adapter. */
  readonly path: string;
  /** A directory that the engine can load nothing from. */
  readonly badPath: string;
  /** The names of the adapters that the engine has now, in any order. */
  loaded(): readonly string[] | Promise<readonly string[]>;
}

/** The laws of an `AdapterLoader`. `open` makes one each time, for an engine without adapters. */
export function adapterLoaderLaws(open: Open<LoaderBench>): readonly Law[] {
  const law = lawsFor(open);
  const names = async ({ loaded }: LoaderBench) => [...(await loaded())].sort();
  return [
    law("an adapter that is loaded is there by its name until it is unloaded", async (bench) => {
      await bench.loader.load("a", bench.path);
      await bench.loader.load("b", bench.path);
      expectSame(await names(bench), ["a", "b"], "after loading");
      await bench.loader.unload("a");
      expectSame(await names(bench), ["b"], "after unloading");
      await bench.loader.load("a", bench.path);
      expectSame(await names(bench), ["a", "b"], "after loading again");
    }),

    law("loading a loaded adapter succeeds", async (bench) => {
      await bench.loader.load("a", bench.path);
      await bench.loader.load("a", bench.path);
      expectSame(await names(bench), ["a"], "loaded");
    }),

    law("unloading an adapter that is not loaded succeeds", async (bench) => {
      await bench.loader.unload("a");
      await bench.loader.load("a", bench.path);
      await bench.loader.unload("a");
      await bench.loader.unload("a");
      expectSame(await names(bench), [], "loaded");
    }),

    law("what could not be loaded is a fault, and others stay", async (bench) => {
      await bench.loader.load("a", bench.path);
      const outcome: unknown = await bench.loader.load("b", bench.badPath).catch((error: unknown) => error);
      expectThat(outcome instanceof Fault, "a fault is thrown");
      expectSame(await names(bench), ["a"], "loaded");
    }),
  ];
}
