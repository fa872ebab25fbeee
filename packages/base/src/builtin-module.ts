// Loads modules that are built into Node.js, Bun and Deno. Code that also runs in browsers must not import them.

interface Runtime {
  getBuiltinModule?(name: string): object | undefined;
}

const { process } = globalThis as { readonly process?: Runtime };

/** The members of a module that the runtime has; empty in browsers. */
export function builtinModule<Members extends object>(name: `node:${string}`): Partial<Members> {
  return process?.getBuiltinModule?.(name) ?? {};
}
