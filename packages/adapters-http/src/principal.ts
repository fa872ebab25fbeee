// Who is asking: what every face needs to know of a request before it does anything.

import type { KeyVerb } from "@assay/inference-core/internal";

/** The holder of a request's credentials. */
export interface Principal {
  /** Stable name, for usage and logs. Never a secret. */
  readonly id: string;
  /** Where what it makes goes when it names no project; absent when it is for more than one. */
  readonly home?: { readonly entity: string; readonly project: string } | undefined;
  /** Whether it may see and change this project. */
  allows(entity: string, project: string): boolean;
  /** What it may do there. Absent: everything. */
  readonly verbs?: readonly KeyVerb[];
}

/** Whether `principal` may do what `verb` says, somewhere. */
export function may({ verbs }: Principal, verb: KeyVerb): boolean {
  return verbs === undefined || verbs.includes(verb);
}

/** Finds who is asking, from the headers of a request. Undefined when the credentials are missing or wrong. */
export type Authenticate = (request: Request) => Promise<Principal | undefined>;
