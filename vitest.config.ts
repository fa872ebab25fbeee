import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { interpretedFiles, type LaneName, lanes, type Mode, modes, patternsOf } from "./test/lanes.ts";

// Sources are tested as they are, without a build: the "@assay/source" condition of each package names them.
const conditions = ["@assay/source", "module", "node", "import", "default"];

const SETUP = ["test/fixed-seed.ts"];

/** Where each file is among the long ones of its lane. */
const PLACES: ReadonlyMap<string, number> = new Map(
  lanes.flatMap(([, { full = [], fewer = [], long = [] }]) =>
    [...full, ...fewer, ...long].map((file, i) => [file, i] as const),
  ),
);

/**
 * What takes longest begins first: begun last, one core would wait for it. Files that share a process come after, those of
 * a project together.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const sharing = [...new Set(sorted.map(({ project }) => project))].filter(
      ({ config }) => !config.isolate,
    );
    const group = ({ project }: TestSpecification): number => sharing.indexOf(project);
    const place = ({ moduleId }: TestSpecification): number =>
      PLACES.get(moduleId.slice(this.ctx.config.root.length + 1)) ?? PLACES.size;
    return sorted.sort((a, b) => group(a) - group(b) || place(a) - place(b));
  }
}

/** The lanes of which a change makes all files run, as scripts/test-triggered.mjs says. */
const TRIGGERED = (process.env["ASSAY_LANES"] ?? "").split(",");

export default defineConfig(({ mode: asked }) => {
  // These are the modes of Vite, which a tool that reads this file asks for.
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
  // What is refused, and with which words, as the command says it: with schemas that are not compiled.
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
      tags: [{ name: "long", description: "Too long for `npm test`: runs when its lane does." }],
      // A filter at the root does not reach projects.
      projects: [...found, interpreted].map(({ lane, ...test }) => ({
        extends: true as const,
        test: {
          ...test,
          // A project reads this file again, in a mode of its own: what it is to know of this one, it is told here.
          env: { ASSAY_TESTS: modeOf(lane) },
          ...(modeOf(lane) === "brief" && { tagsFilter: ["!long"] }),
        },
      })),
      // A machine that does other things too can be ten times slower: that is no fault of a test.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      // The machine this must run on has two cores; what waits for a server or a disk leaves its core to a third file.
      maxWorkers: 3,
      // What was transformed once is read from the disk in the next run.
      experimental: { fsModuleCache: true },
      sequence: { sequencer: LongestFirst },
    },
  };
});
