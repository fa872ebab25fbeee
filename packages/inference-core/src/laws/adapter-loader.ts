// The laws of a loader of adapters: loading and unloading are idempotent, and failures are reported.

import { Fault, type Law, type Open } from "@assay/base";
import { expectSame, expectThat, lawsFor } from "@assay/base/internal";
import type { AdapterLoader } from "../ports/upstream-engine.ts";

/** A loader, and the engine that it loads adapters into. */
export interface LoaderBench {
  /** The loader to check. */
  readonly loader: AdapterLoader;
  /** A directory with an adapter. */
  readonly path: string;
  /** A directory that the engine cannot load. */
  readonly badPath: string;
  /** The names of the adapters that are now loaded, in any order. */
  loaded(): readonly string[] | Promise<readonly string[]>;
}

/** The laws of an `AdapterLoader`. `open` creates one each time, for an engine without adapters. */
export function adapterLoaderLaws(open: Open<LoaderBench>): readonly Law[] {
  const law = lawsFor(open);
  const names = async ({ loaded }: LoaderBench) => [...(await loaded())].sort();
  return [
    law("a loaded adapter is available by its name until it is unloaded", async (bench) => {
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

    law("a failed load throws a fault, and other adapters stay loaded", async (bench) => {
      await bench.loader.load("a", bench.path);
      const outcome: unknown = await bench.loader.load("b", bench.badPath).catch((error: unknown) => error);
      expectThat(outcome instanceof Fault, "a fault is thrown");
      expectSame(await names(bench), ["a"], "loaded");
    }),
  ];
}
