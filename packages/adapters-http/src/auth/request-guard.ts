// Refuses requests before they reach a route: requests that a browser sends for a page of another site and, where no
// key is required, requests with a foreign host name or through a proxy. Never reads a body or identifies the caller.

import { excerpt } from "@assay/base/internal";
import { contentType } from "../request/body.ts";
import type { Problem } from "../response/problem.ts";
import type { Route } from "../routing/operation.ts";
import type { MetRoute } from "../routing/route-table.ts";
import { isLoopback } from "./loopback.ts";

/** The settings of a guard. */
export interface GuardOptions {
  /** Origins of web pages that may use the server, in addition to its own. */
  readonly origins: readonly string[];
  /** Whether requests currently need no key. */
  readonly keyless: () => Promise<boolean>;
}

/** Why a request is refused; undefined if it is not. */
export type Guard = (met: MetRoute) => Promise<Problem | undefined>;

/**
 * A guard against cross-site request forgery, DNS rebinding and proxies that expose a server without keys. 403: a page
 * of another origin; without a key also a host that is not this machine, and headers of a proxy that forwarded the
 * request. 415: a body of a type that pages may send without a preflight request.
 */
export function requestGuard({ origins, keyless }: GuardOptions): Guard {
  return async (met) => {
    const { request } = met.asked;
    const { host, hostname } = met.url;
    const origin = request.headers.get("origin");
    if (origin !== null && !origins.includes(origin) && hostOf(origin) !== host) return foreignOrigin(origin);
    if (await keyless()) {
      if (!isLoopback(hostname)) return foreignHost(hostname);
      const forwarded = forwardingHeader(request.headers);
      if (forwarded !== undefined) return throughProxy(forwarded);
    }
    return formType(request, met.route);
  };
}

/** The host and port of an origin; undefined for `null`, which pages without an origin send. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function foreignOrigin(origin: string): Problem {
  const detail = `pages of ${excerpt(origin)} may not use this server; assay serve --cors ORIGIN lets those of one origin`;
  return { status: 403, detail };
}

function foreignHost(hostname: string): Problem {
  const detail = `this server has no API key and only answers as localhost or 127.0.0.1, not as ${excerpt(hostname)}; create a key (assay keys create) to serve other names`;
  return { status: 403, detail };
}

function throughProxy(header: string): Problem {
  const detail = `a proxy forwarded this request (header ${excerpt(header)}), and without an API key this server would be open to everyone the proxy serves; create a key (assay keys create, or ASSAY_API_KEY) and send it`;
  return { status: 403, detail };
}

const FORWARDING = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

/** The first header that shows that a proxy forwarded the request. */
function forwardingHeader(headers: Headers): string | undefined {
  for (const name of headers.keys()) if (FORWARDING.test(name)) return name;
  return undefined;
}

/**
 * The types that a browser sends to another site without a preflight request: those of forms. A request with a body but
 * without a type counts as one.
 */
const FORM_TYPES: ReadonlySet<string> = new Set(["text/plain", "application/x-www-form-urlencoded", ""]);
const MULTIPART = "multipart/form-data";

function formType(request: Request, { multipart }: Route): Problem | undefined {
  // Files are sent by PUT without a type, which browsers ask permission for first. Other methods have no routes.
  if (!["POST", "PATCH", "DELETE"].includes(request.method)) return undefined;
  const { name } = contentType(request);
  if (name === "" && !request.headers.has("content-type") && !hasBody(request)) return undefined;
  if (name !== MULTIPART && !FORM_TYPES.has(name)) return undefined;
  if (name === MULTIPART && multipart) return undefined;
  const sent = name === "" ? "without a Content-Type" : `as ${name}`;
  const detail = `a body ${sent} may come from a form of any web page: send "Content-Type: application/json", or application/x-ndjson for lines of JSON`;
  return { status: 415, detail };
}

function hasBody({ headers }: Request): boolean {
  return headers.has("transfer-encoding") || (headers.get("content-length") ?? "0") !== "0";
}
