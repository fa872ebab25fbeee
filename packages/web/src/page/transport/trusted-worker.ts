// Workers of the page. Trusted Types block all other scripts: the only policy accepts the addresses passed here.

const OURS = new Set<string>();

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

/** Starts a worker of the page: `url` must be one that the build or the file contains. A `module` comes in parts. */
export function startWorker(url: string, type: "classic" | "module"): Worker {
  OURS.add(url);
  // Not every browser has Trusted Types.
  policy ??= (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("assay-worker", {
    createScriptURL(asked) {
      if (OURS.has(asked)) return asked;
      throw new TypeError("only the page's own workers may run");
    },
  });
  return new Worker(policy?.createScriptURL(url) ?? url, { type });
}
