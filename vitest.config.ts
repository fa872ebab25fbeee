import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { interpretedFiles, lanes, type Mode, modes, patternsOf } from "./test/lanes.ts";

// Sources are tested as they are, without a build: the "@assay/source" condition of each package names them.
const conditions = ["@assay/source", "module", "node", "import", "default"];

const SETUP = ["test/fixed-seed.ts"];

/** Where each file is among the long ones of its lane. */
const PLACES: ReadonlyMap<string, number> = new Map(
  lanes.flatMap(([, { full = [], fewer = [], long = [] }]) =>
    [...full, ...fewer, ...long].map((file, i) => [file, i] as const),
  ),
);

/** What takes longest begins first: begun last, one core would wait for it. Files that share a process come after. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      if (!project.config.isolate) return Number.POSITIVE_INFINITY;
      return PLACES.get(moduleId.slice(this.ctx.config.root.length + 1)) ?? PLACES.size;
    };
    // Infinity less Infinity is no number, and no order.
    return (await super.sort(files)).sort((a, b) => place(a) - place(b) || 0);
  }
}

export default defineConfig(({ mode: asked }) => {
  // These are the modes of Vite, which a tool that reads this file asks for.
  const mode = ["development", "production"].includes(asked) ? "test" : (asked as Mode);
  if (!modes.includes(mode)) throw new Error(`--mode is ${modes.join(", ")}, not ${mode}`);
  const found = lanes.map(([name, { together }]) => {
    const { include, exclude } = patternsOf(name, mode);
    return {
      name,
      ...(together === true && { isolate: false }),
      include: [...include],
      exclude: [...configDefaults.exclude, ...exclude],
    };
  });
  // What `npm test` has run of these files does not run again.
  const long = lanes.flatMap(([name, { together, long = [] }]) =>
    mode === "rest" && long.length > 0
      ? [{ name: `${name}-long`, isolate: together !== true, include: [...long], tagsFilter: ["long"] }]
      : [],
  );
  // What is refused, and with which words, as the command says it: with schemas that are not compiled.
  const interpreted = {
    name: "cores-interpreted",
    setupFiles: [...SETUP, "packages/training-core/test/interpreted-schemas.ts"],
    isolate: false,
    include: [...interpretedFiles(mode)],
  };
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      setupFiles: SETUP,
      tags: [{ name: "long", description: "Too long for `npm test`: runs when its lane does." }],
      // A filter at the root does not reach projects.
      projects: [...found, ...long, interpreted].map((test) => ({
        extends: true as const,
        // A project reads this file again, in a mode of its own: what it is to know of this one, it is told here.
        test: { ...test, env: { ASSAY_TESTS: mode }, ...(mode === "brief" && { tagsFilter: ["!long"] }) },
      })),
      // A machine that does other things too can be ten times slower: that is no fault of a test.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      // The machine this must run on has two cores.
      maxWorkers: 2,
      // What was transformed once is read from the disk in the next run.
      experimental: { fsModuleCache: true },
      sequence: { sequencer: LongestFirst },
    },
  };
});
