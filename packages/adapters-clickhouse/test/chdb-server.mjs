// ClickHouse in this process behind the HTTP interface of a ClickHouse server, as far as @clickhouse/client uses it: what
// a client sends is put to the real engine. Not TypeScript, for the reason in chdb-connection.mjs.

import { createServer } from "node:http";
import { Session } from "chdb";

/** What is not a setting among the names in an address. */
const OWN = new Set(["query", "database", "query_id", "default_format", "session_id", "compress"]);

/**
 * Serves until it is closed; one at a time in a process.
 * @returns {Promise<{ readonly port: number, readonly statements: readonly string[], readonly settings: ReadonlyMap<string, string>, close(): Promise<void> }>}
 */
export async function chdbServer() {
  const session = new Session();
  /** @type {string[]} */
  const statements = [];
  /** As they were last sent. @type {Map<string, string>} */
  const settings = new Map();
  // Parameters and settings are the session's, so one statement after another.
  let turn = Promise.resolve();
  const server = createServer((request, response) => {
    turn = turn.then(async () => {
      const url = new URL(request.url ?? "/", "http://localhost");
      const pieces = [];
      for await (const piece of request) pieces.push(piece);
      const fields = new Map(url.searchParams);
      const body = Buffer.concat(pieces);
      const type = request.headers["content-type"] ?? "";
      const form = type.startsWith("multipart/form-data")
        ? await new Response(body, { headers: { "content-type": type } }).formData()
        : undefined;
      for (const [name, value] of form ?? []) fields.set(name, String(value));
      const text = form === undefined ? body.toString() : "";
      const sql = [fields.get("query"), text].filter((part) => part !== undefined && part !== "").join("\n");
      statements.push(sql);
      try {
        for (const [name, value] of fields) {
          if (OWN.has(name)) continue;
          if (!name.startsWith("param_")) settings.set(name, value);
          await session.queryAsync(`SET ${name} = '${value.replaceAll(/[\\']/g, "\\$&")}'`);
        }
        const format = fields.get("default_format");
        const result = await session.queryAsync(sql.replace(/ *FORMAT JSONCompact\s*$/, ""), {
          format: /FORMAT JSONCompact\s*$/.test(sql) ? "JSONCompact" : (format ?? "TabSeparated"),
        });
        response.end(result.bytes());
      } catch (error) {
        response.statusCode = 500;
        response.setHeader("X-ClickHouse-Exception-Code", String(error.clickhouseCode ?? 0));
        response.end(String(error.message));
      }
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    statements,
    settings,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      session.close();
    },
  };
}
