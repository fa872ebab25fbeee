// A real ClickHouse server for tests, in a separate process: chDB's library is the whole of clickhouse-local, including
// the HTTP and native servers. Plain JavaScript, because a script uses it without a build.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} ServerOptions
 * @property {{ readonly http: number, readonly tcp: number }} [ports] its ports; free ones by default
 * @property {string} [config] additional configuration as XML
 * @property {string} [profile] the settings of the default profile as XML
 * @property {readonly string[]} [users] users from `userOf`, in addition to "default", which has all rights
 */

/**
 * @typedef {object} Server
 * @property {string} url the address of its HTTP interface
 * @property {number} http the port of its HTTP interface
 * @property {number} tcp the port of its native protocol
 * @property {string} folder the folder of all its files
 * @property {() => Promise<void>} kill kills it, as in a crash
 * @property {() => Promise<void>} restart starts it again with its data
 * @property {() => Promise<void>} stop stops it and deletes its files
 */

// More than a busy machine needs.
const PATIENCE = 60_000;

/** Why this machine cannot run a server; undefined if it can. */
export const noServer =
  libraryPath() === undefined
    ? `chDB has no library for ${process.platform} on ${process.arch}: cannot start a ClickHouse server`
    : undefined;

if (noServer !== undefined) console.warn(noServer);

/** The address of an existing server to test with. */
const given = process.env["ASSAY_TEST_CLICKHOUSE_URL"];

/** Whether no server is available: none is given, and none can be started. */
export const noTestServer = given === undefined && noServer !== undefined;

/**
 * The server to test with: the given one, which keeps running, or a new one.
 *
 * @returns {Promise<{ readonly url: string, readonly folder?: string, readonly stop: () => Promise<void> }>}
 */
export async function testServer() {
  return given === undefined ? await startServer() : { url: given, stop: async () => undefined };
}

/**
 * Starts a server that only this machine can reach. Throws with the server's output if it fails to start.
 * @param {ServerOptions} [options]
 * @returns {Promise<Server>}
 */
export async function startServer({ ports, config = "", profile = "", users = [] } = {}) {
  const library = libraryPath();
  if (library === undefined) throw new Error(noServer);
  const { http, tcp } = ports ?? (await freePorts());
  const folder = mkdtempSync(join(tmpdir(), "assay-clickhouse-"));
  const configuration = join(folder, "config.xml");
  const known = join(folder, "users.xml");
  const all = [userOf("default"), ...users].join("");
  writeFileSync(
    known,
    `<clickhouse><profiles><default>${profile}</default></profiles><users>${all}</users></clickhouse>`,
  );
  const directories = `<user_directories><users_xml><path>${known}</path></users_xml></user_directories>`;
  writeFileSync(configuration, `<clickhouse>${directories}<query_log/>${config}</clickhouse>`);
  const options = [
    "--path",
    join(folder, "data"),
    "--config-file",
    configuration,
    "--listen_host",
    "127.0.0.1",
  ];
  const listening = ["--http_port", String(http), "--tcp_port", String(tcp)];
  const program = fileURLToPath(new URL("clickhouse-process.mjs", import.meta.url));
  const url = `http://127.0.0.1:${http}`;
  let kill = async () => undefined;
  const restart = async () => {
    const child = spawn(process.execPath, [program, library, folder, ...options, ...listening], {
      stdio: ["pipe", "ignore", "pipe"],
    });
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    kill = async () => {
      child.kill("SIGKILL");
      await ended;
    };
    const until = Date.now() + PATIENCE;
    while (!(await answers(url))) {
      if (child.exitCode === null && child.signalCode === null && Date.now() < until) continue;
      await kill();
      throw new Error(`the ClickHouse server did not start:\n${output}`);
    }
  };
  const stop = async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await restart();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, http, tcp, folder, kill: () => kill(), restart, stop };
}

/**
 * A user without a password as XML, with the given grants, or with all rights if none are given.
 * @param {string} name
 * @param {readonly string[]} [grants]
 */
export function userOf(name, grants) {
  const queries = grants?.map((grant) => `<query>GRANT ${grant}</query>`).join("");
  const rights = queries === undefined ? "" : `<grants>${queries}</grants>`;
  return `<${name}><password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile>${rights}</${name}>`;
}

/**
 * Two free ports.
 *
 * @returns {Promise<{ readonly http: number, readonly tcp: number }>}
 */
export async function freePorts() {
  // Opens both at the same time, so that they differ.
  const servers = await Promise.all([openPort(), openPort()]);
  const [http, tcp] = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return { http: http ?? 0, tcp: tcp ?? 0 };
}

/** @returns {Promise<import("node:net").Server>} */
function openPort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject).listen(0, "127.0.0.1", () => resolve(server));
  });
}

/** @param {string} url */
async function answers(url) {
  try {
    return (await fetch(`${url}/ping`)).ok;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  }
}

function libraryPath() {
  // A dependency of chdb, not of ours: one package for each supported platform.
  const chdb = createRequire(createRequire(import.meta.url).resolve("chdb/package.json"));
  const platform = `${process.platform}-${process.arch}${process.platform === "linux" ? "-gnu" : ""}`;
  try {
    return chdb.resolve(`@chdb/lib-${platform}/libchdb.so`);
  } catch {
    return undefined;
  }
}
