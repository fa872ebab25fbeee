// The commands that start a server: serve and demo.

import { join } from "node:path";
import type { ServeOptions } from "../commands/server/serve.ts";
import {
  drainSeconds,
  type ProgramParts,
  portNumber,
  storageBytes,
  streamCount,
  webOrigin,
} from "../options/common-options.ts";
import { addServerOptions, type ConfiguredFlags } from "../options/settings-options.ts";

/** Adds its commands to the command line. */
export function addServerCommands(parts: ProgramParts): void {
  addServeCommand(parts);
  addDemoCommand(parts);
}

function addServeCommand({ assay, context, common, ended }: ProgramParts): void {
  const serve = assay
    .command("serve")
    .description("start the server: the page, the HTTP API and the OpenAI-compatible API")
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.host())
    .addOption(common.port())
    .addOption(
      common.apiKey(
        "a key with access to everything; without it or assay keys, only this machine has access",
      ),
    );
  addServerOptions(serve)
    .addOption(common.upstreams())
    .addOption(common.training())
    .addHelpText(
      "after",
      `
Examples:
  assay serve
  assay serve --log 2>requests.jsonl
  ASSAY_API_KEY=... assay serve --host 0.0.0.0 --port 8080
  assay serve --upstreams engines.yaml`,
    )
    .action(async (options: ServeFlags) => {
      const { serveCommand } = await import("../commands/server/serve.ts");
      ended(await serveCommand(context, serveOptions(options)));
    });
}

function addDemoCommand({ assay, context, common, ended }: ProgramParts): void {
  assay
    .command("demo")
    .description("load the examples, show a first comparison, and start the server")
    .option("--examples <dir>", "folder of the examples (default: the bundled ones)")
    .addOption(common.data())
    .addOption(common.host())
    .addOption(common.port())
    .addOption(common.apiKey("a key with access to everything"))
    .addOption(common.upstreams())
    .option("--no-open", "do not open the page in a browser (in CI or without a terminal it never opens)")
    .action(async (options: ServeFlags & { examples?: string; open: boolean }) => {
      const { demoCommand } = await import("../commands/server/demo.ts");
      const { examples = join(context.files, "examples"), open } = options;
      ended(await demoCommand(context, { ...serveOptions(options), examples, open }));
    });
}

interface ServeFlags
  extends ConfiguredFlags,
    Pick<ServeOptions, "apiKey" | "data" | "host" | "log" | "metrics" | "store" | "training" | "upstreams"> {
  readonly port: string;
  readonly cors?: readonly string[];
  readonly publicUrl?: string;
  readonly streams?: string;
  readonly projectStorage?: string;
  readonly drain?: string;
}

function serveOptions({ configuration, port, cors = [], ...flags }: ServeFlags): ServeOptions {
  const { drain, publicUrl, streams, projectStorage, ...others } = flags;
  const { prices, limits, retention } = configuration ?? {};
  return {
    ...others,
    ...{ prices, limits, retention, port: portNumber(port) },
    drain: drain === undefined ? undefined : drainSeconds(drain),
    origins: cors.map((text) => webOrigin(text)),
    publicUrl: publicUrl === undefined ? undefined : webOrigin(publicUrl, "--public-url"),
    streams: streams === undefined ? undefined : streamCount(streams),
    projectBytes: projectStorage === undefined ? undefined : storageBytes(projectStorage),
  };
}
