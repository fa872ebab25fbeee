// The command that answers agents: mcp.

import type { OpenOptions } from "../data/open-data.ts";
import type { ProgramParts } from "../options/common-options.ts";

/** Adds its command to the command line. */
export function addMcpCommand({ assay, context, common, ended }: ProgramParts): void {
  assay
    .command("mcp")
    .description("answer an agent over the Model Context Protocol (stdio)")
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.server("server to ask, instead of a data directory (env: ASSAY_SERVER)"))
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
Your agent starts this command; docs/how-to/mcp.md shows how to add it to common ones. Access is
read-only, and the data directory is open only while a question is answered.

Tools: list_projects, list_evaluations, query, compare, slices, rank, show_row.

Examples:
  claude mcp add assay -- assay mcp --data /home/me/evals/.assay
  assay mcp --server https://assay.example --api-key ...`,
    )
    .action(async (options: OpenOptions) => {
      const { mcpCommand } = await import("../mcp/mcp.ts");
      ended(await mcpCommand(context, options));
    });
}
