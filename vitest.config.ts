import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { interpretedFiles, type LaneName, lanes, type Mode, modes, patternsOf } from "./test/lanes.ts";

// Tests run the sources without a build: each package exports its sources under the "@assay/source" condition.
const conditions = ["@assay/source", "module", "node", "import", "default"];

const SETUP = ["test/fixed-seed.ts"];

/** The position of each file in the lists of its lane, longest first. */
const PLACES: ReadonlyMap<string, number> = new Map(
  lanes.flatMap(([, { full = [], fewer = [], long = [] }]) =>
    [...full, ...fewer, ...long].map((file, i) => [file, i] as const),
  ),
);

/**
 * Starts the longest files first, so that no worker still runs a long one at the end. Files of projects that share
 * a process come last, grouped by project: the first lane, which has many short files, after the others.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const names: readonly string[] = lanes.map(([name]) => name);
    const group = ({ project: { name, config } }: TestSpecification): number =>
      config.isolate ? names.length : names.indexOf(name);
    const place = ({ moduleId }: TestSpecification): number =>
      PLACES.get(moduleId.slice(this.ctx.config.root.length + 1)) ?? PLACES.size;
    return sorted.sort((a, b) => group(b) - group(a) || place(a) - place(b));
  }
}

/** The lanes whose files all run because of a change, as set by scripts/test-triggered.mjs. */
const TRIGGERED = (process.env["ASSAY_LANES"] ?? "").split(",");

export default defineConfig(({ mode: asked }) => {
  // Tools that load this file may use one of Vite's own modes.
  const mode = ["development", "production"].includes(asked) ? "test" : (asked as Mode);
  if (!modes.includes(mode)) throw new Error(`--mode is ${modes.join(", ")}, not ${mode}`);
  const modeOf = (lane: LaneName): Mode => (mode === "brief" && TRIGGERED.includes(lane) ? "test" : mode);
  const found = lanes.map(([name, { together }]) => {
    const { include, exclude } = patternsOf(name, modeOf(name));
    return {
      name,
      lane: name,
      ...(together === true && { isolate: false }),
      include: [...include],
      exclude: [...configDefaults.exclude, ...exclude],
    };
  });
  // Runs with schemas that are interpreted, not compiled, as in the command: what they refuse and the error messages
  // must be the same.
  const interpreted = {
    name: "cores-interpreted",
    lane: "cores" as const,
    setupFiles: [...SETUP, "packages/training-core/test/interpreted-schemas.ts"],
    isolate: false,
    include: [...interpretedFiles(modeOf("cores"))],
  };
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      setupFiles: SETUP,
      tags: [{ name: "long", description: "Too long for `npm test`: runs only with its whole lane." }],
      // A tag filter at the root does not apply to projects.
      projects: [...found, interpreted].map(({ lane, ...test }) => ({
        extends: true as const,
        test: {
          ...test,
          // Each project reads this file again, in its own mode. It gets the mode of this run from the environment.
          env: { ASSAY_TESTS: modeOf(lane) },
          ...(modeOf(lane) === "brief" && { tagsFilter: ["!long"] }),
        },
      })),
      // A busy machine can be ten times slower. Tests must not fail because of it.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      // Sized for two cores: tests that wait for a server or a disk leave a core free for a third file.
      maxWorkers: 3,
      // Keeps transformed modules on disk for the next run.
      experimental: { fsModuleCache: true },
      sequence: { sequencer: LongestFirst },
    },
  };
});
