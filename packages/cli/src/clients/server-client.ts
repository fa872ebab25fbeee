// The HTTP client of commands. Refusals keep the server's message; for a missing key or a failing server, the message
// explains the solution on the command line.

import { Fault } from "@assay/base";
import { type AssayClient, assayClient, type ClientOptions, Refusal } from "@assay/client";

/** An entity and a project, as path parameters of a request. */
export interface ProjectPath {
  readonly entity: string;
  readonly project: string;
}

/** A client of the server at `url`; requests are sent with `apiKey` if given. */
export function serverClient(
  url: string,
  apiKey: string | undefined,
  send?: ClientOptions["fetch"],
): AssayClient {
  const client = assayClient({ url, apiKey, ...(send !== undefined && { fetch: send }) });
  const worded = (error: unknown): never => {
    throw inWordsOfCommands(error, url);
  };
  return {
    url: client.url,
    ask: (...asked) => client.ask(...asked).catch(worded),
    open: (...asked) => client.open(...asked).catch(worded),
  };
}

function inWordsOfCommands(error: unknown, url: string): unknown {
  if (!(error instanceof Refusal)) return error;
  if (error.status === 401)
    return new Fault(
      "denied",
      `the server at ${url} requires an API key: set ASSAY_API_KEY, or use --api-key`,
      {
        cause: error,
      },
    );
  if (error.status >= 500)
    return new Fault(error.code, `the server at ${url} failed: ${error.message}`, { cause: error });
  return error;
}

/** A project, `entity/project`, as path parameters. */
export function projectPath(name: string): ProjectPath {
  const [entity = "", project = ""] = name.split("/");
  return { entity, project };
}

/** A page of a list. */
interface Page<T> {
  readonly data: readonly T[];
  readonly last_id?: string;
  readonly has_more: boolean;
}

/** Every item of a list, page by page: `page` returns the page after the item with the ID `after`. */
export async function allItems<T extends { readonly id: string }>(
  page: (after: string | undefined) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const items: T[] = [];
  for (let after: string | undefined; ; after = items.at(-1)?.id) {
    const { data, has_more } = await page(after);
    items.push(...data);
    if (!has_more) return items;
  }
}
