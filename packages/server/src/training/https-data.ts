// Training data on the web. Anyone who may submit a job can name any address, so the server only fetches publicly
// reachable ones: never from its own network, unless its configuration names the host.

import { lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Fault, type FaultCode } from "@assay/base";
import type { TrainingData } from "@assay/training-core";
import ipaddr from "ipaddr.js";

/** How to fetch training data. */
export interface HttpsDataOptions {
  /** Hosts in private networks that may be read. */
  readonly privateHosts: readonly string[];
  /** Certificate authorities to trust instead of Node's, as PEM. */
  readonly ca?: string | undefined;
  /** How many milliseconds to wait for a silent server. Default 60,000. */
  readonly silenceMs?: number | undefined;
}

/** The most redirects to follow. */
const MOST_REDIRECTS = 5;
/** The longest time that fetching may take, in milliseconds. */
const LONGEST_MS = 15 * 60_000;

/** Serves `https:` addresses, within limits of time and reachable hosts; the reader limits the size. */
export function httpsData(options: HttpsDataOptions): TrainingData {
  return {
    async open(url, signal) {
      if (!/^https:/i.test(url)) return undefined;
      const end = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
      let at = url;
      for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
        const response = await get(at, options, end);
        const { statusCode: status = 0, headers } = response;
        if (status === 200) return bodyOf(response);
        response.destroy();
        if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined)
          throw refusal(status);
        if (!URL.canParse(headers.location, at)) throw new Fault("missing", "the redirect has no target");
        at = new URL(headers.location, at).href;
        if (!at.startsWith("https:"))
          throw new Fault("denied", "the address redirects to a URL without https");
      }
      throw new Fault("missing", `the address redirects more than ${MOST_REDIRECTS} times`);
    },
  };
}

async function get(
  url: string,
  { privateHosts, ca, silenceMs = 60_000 }: HttpsDataOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (!URL.canParse(url)) throw new Fault("missing", "the address of the training data is not valid");
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const trusted = privateHosts.includes(host);
  // A literal IP address is never looked up.
  if (isIP(host) !== 0 && !trusted && !isPublic(host)) throw privateFault(host);
  return new Promise((resolve, reject) => {
    const asking = request(url, {
      signal,
      timeout: silenceMs,
      headers: { accept: "application/jsonl, */*", "accept-encoding": "identity", "user-agent": "assay" },
      ...(ca !== undefined && { ca }),
      ...(!trusted && { lookup: publicLookup }),
    });
    asking.once("timeout", () =>
      asking.destroy(
        new Fault("timeout", `${host} sent nothing for ${Math.round(silenceMs / 1000)} seconds`),
      ),
    );
    asking.once("response", resolve);
    asking.once("error", (error) => reject(Fault.from(error, "unavailable", `${host} cannot be reached`)));
    asking.end();
  });
}

async function* bodyOf(response: IncomingMessage): AsyncIterable<Uint8Array> {
  try {
    yield* response as AsyncIterable<Buffer>;
  } catch (error) {
    throw Fault.from(error, "unavailable", "the connection closed before the end of the training data");
  }
}

/** Looks up a host on connecting, and refuses it if any of its addresses is private. */
const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error !== null) return done(error, []);
    if (!found.every(({ address }) => isPublic(address))) return done(privateFault(host), []);
    if (options.all === true) return done(null, found);
    done(null, found[0]?.address ?? "", found[0]?.family);
  });
};

function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === "unicast";
}

function privateFault(host: string): Fault {
  return new Fault("denied", `${host} is in a private network, from which training data is not read`);
}

function refusal(status: number): Fault {
  const code: FaultCode =
    status === 401 || status === 403 ? "denied" : status === 429 || status >= 500 ? "unavailable" : "missing";
  return new Fault(code, `the server of the training data returned status ${status}`);
}
