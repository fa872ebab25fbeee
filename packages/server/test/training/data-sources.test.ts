// Allowed and forbidden sources of training data.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Fault } from "@assay/base";
import type { TrainingData } from "@assay/training-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { fileData } from "../../src/training/file-data.ts";
import { httpsData } from "../../src/training/https-data.ts";
import { folder } from "../folder.ts";

const never = new AbortController().signal;

/** The text at an address, or the code and message of the fault. */
async function read(data: TrainingData, url: string): Promise<string | undefined> {
  try {
    const bytes = await data.open(url, never);
    if (bytes === undefined) return undefined;
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  } catch (error) {
    if (error instanceof Fault) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("file: addresses", () => {
  test("are only read below the configured folders", async () => {
    const home = folder();
    const [open, closed] = [join(home, "open"), join(home, "open-not")];
    for (const path of [open, closed, join(open, "deep")]) mkdirSync(path);
    writeFileSync(join(open, "deep", "a b.jsonl"), "inside");
    writeFileSync(join(closed, "secret"), "outside");
    symlinkSync(join(closed, "secret"), join(open, "way-out"));
    symlinkSync(join(open, "deep"), join(open, "way-in"));
    const data = fileData([open]);
    const at = (...path: string[]) => read(data, pathToFileURL(join(home, ...path)).href);

    expect(await at("open", "deep", "a b.jsonl")).toBe("inside");
    expect(await at("open", "way-in", "a b.jsonl")).toBe("inside");
    for (const path of [["open-not", "secret"], ["open", "way-out"], ["open"], ["no-such"]]) {
      expect(await at(...path)).toMatch(/^denied: the file is not in a folder/);
    }
    expect(await read(data, `file://${open}/../open-not/secret`)).toMatch(/^denied/);
    expect(await read(data, `file://${open}/%2e%2e/open-not/secret`)).toMatch(/^denied/);
    expect(await read(data, "file://elsewhere/share/x")).toMatch(/^denied/);
    expect(await at("open", "deep")).toMatch(/^missing: the address is not a file/);
    expect(await at("open", "no-such")).toBe("missing: no such file");
    expect(await read(data, "https://example.com/")).toBeUndefined();
  });

  test("are not read at all if no folder is configured", async () => {
    expect(await read(fileData([]), "file:///etc/passwd")).toMatch(
      /^denied: this server does not read files/,
    );
  });
});

/** A server on this machine, with a self-signed certificate. */
async function secureServer(answer: RequestListener): Promise<{ url: string; ca: string }> {
  const home = folder();
  const [key, cert] = [join(home, "key.pem"), join(home, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const make = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", [...make, "-keyout", key, "-out", cert, "-days", "1", ...subject], {
    stdio: "ignore",
  });
  const ca = readFileSync(cert, "utf8");
  const server = createServer({ key: readFileSync(key), cert: ca }, answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, ca };
}

describe("https: addresses", () => {
  test("are read, following redirects, and every refusal has a code", async () => {
    const { url, ca } = await secureServer(({ url: path = "/" }, response) => {
      const [, what, rest = ""] = path.split("/");
      if (what === "to") response.writeHead(302, { location: decodeURIComponent(rest) }).end();
      else if (what === "status") response.writeHead(Number(rest)).end("no");
      else if (what === "breaks") response.writeHead(200, { "content-length": 100 }).end("x");
      else if (what !== "hangs") response.end("rows");
    });
    const data = httpsData({ privateHosts: ["localhost"], ca, silenceMs: 300 });
    const at = (path: string) => read(data, `${url}${path}`);

    expect(await at("/rows")).toBe("rows");
    expect(await at("/to/%2Fto%2F%252Frows")).toBe("rows");
    expect(await at("/to/%2Fto")).toMatch(
      /^missing: the server of the training data returned status 302|^missing/,
    );
    expect(await at(`/to/${encodeURIComponent("http://localhost/")}`)).toMatch(/^denied: .*without https/);
    expect(await at(`/to/${encodeURIComponent("https://127.0.0.1:1/")}`)).toMatch(
      /^denied: .*private network/,
    );
    expect(await at("/status/404")).toMatch(/^missing: .*404/);
    expect(await at("/status/403")).toMatch(/^denied: .*403/);
    expect(await at("/status/500")).toMatch(/^unavailable: .*500/);
    expect(await at("/breaks")).toMatch(
      /^unavailable: the connection closed before the end of the training data/,
    );
    expect(await at("/hangs")).toMatch(/^timeout: localhost sent nothing for/);
    expect(await read(data, "file:///x")).toBeUndefined();
    expect(await read(data, "http://localhost/")).toBeUndefined();
    expect(await read(data, "https://")).toMatch(/^missing/);
  });

  test("cannot reach the server's network", async () => {
    const { url, ca } = await secureServer((_, response) => response.end("secret"));
    const data = httpsData({ privateHosts: [], ca });
    expect(await read(data, url)).toMatch(/^denied: localhost is in a private network/);
    const port = new URL(url).port;
    for (const host of [
      "127.0.0.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "169.254.169.254",
      "10.0.0.1",
      "2130706433",
      "0",
    ]) {
      expect(await read(data, `https://${host}:${port}/`)).toMatch(/^denied: .* is in a private network/);
    }
  });

  test("to an untrusted certificate are not read", async () => {
    const { url } = await secureServer((_, response) => response.end("secret"));
    expect(await read(httpsData({ privateHosts: ["localhost"] }), url)).toMatch(
      /^unavailable: localhost cannot/,
    );
  });
});
