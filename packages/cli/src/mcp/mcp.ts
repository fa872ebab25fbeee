// assay mcp: answers an agent over the Model Context Protocol (stdio) until the streams close.

import { once } from "node:events";
import { VERSION } from "@assay/server/version";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { OpenOptions } from "../data/open-data.ts";
import { type CliContext, log } from "../terminal/cli-context.ts";
import { EXIT } from "../terminal/failure.ts";
import { toolAnswers } from "./tool-answers.ts";
import { addTools, INSTRUCTIONS } from "./tools.ts";

/** Answers an agent. Returns the exit code after the agent has disconnected, or the command was told to stop. */
export async function mcpCommand(context: CliContext, options: OpenOptions): Promise<number> {
  const server = new McpServer({ name: "assay", version: VERSION }, { instructions: INSTRUCTIONS });
  addTools(server, toolAnswers(context, options));
  server.server.onerror = ({ message }) => log(context, `assay: ${message}`);
  const { stdin, signal } = context;
  const ended = Promise.race([once(stdin, "end"), once(stdin, "close"), once(signal, "abort")]);
  await server.connect(new StdioServerTransport(stdin, context.stdout.stream));
  if (context.stderr.columns !== undefined && (stdin as NodeJS.ReadStream).isTTY)
    log(
      context,
      "assay: waiting for an agent on standard input; assay help mcp shows how to add it to yours",
    );
  if (!signal.aborted) await ended;
  await server.close();
  return EXIT.ok;
}
