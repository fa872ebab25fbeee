// assay mcp: answers an agent over the Model Context Protocol (stdio), until the streams close.

import { once } from "node:events";
import { VERSION } from "@assay/server/version";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { EXIT } from "../failure.ts";
import { questions } from "../mcp/questions.ts";
import { addTools, INSTRUCTIONS } from "../mcp/tools.ts";
import type { OpenOptions } from "../open-data.ts";
import { say, type World } from "../world.ts";

/** Answers an agent. Returns the exit code after the agent has disconnected, or the command was told to stop. */
export async function mcpCommand(world: World, options: OpenOptions): Promise<number> {
  const server = new McpServer({ name: "assay", version: VERSION }, { instructions: INSTRUCTIONS });
  addTools(server, questions(world, options));
  server.server.onerror = ({ message }) => say(world, `assay: ${message}`);
  const { stdin, signal } = world;
  const ended = Promise.race([once(stdin, "end"), once(stdin, "close"), once(signal, "abort")]);
  await server.connect(new StdioServerTransport(stdin, world.stdout.stream));
  if (world.stderr.columns !== undefined && (stdin as NodeJS.ReadStream).isTTY)
    say(world, "assay: waiting for an agent on standard input; assay help mcp shows how to add it to yours");
  if (!signal.aborted) await ended;
  await server.close();
  return EXIT.ok;
}
