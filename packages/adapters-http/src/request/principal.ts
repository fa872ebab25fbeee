// The caller of a request, which every route checks first.

import type { KeyVerb } from "@assay/inference-core/internal";

/** The holder of a request's credentials. */
export interface Principal {
  /** Stable name, for usage and logs. Never a secret. */
  readonly id: string;
  /** The project of new objects and of usage if a request names none; absent if it has more than one. */
  readonly home?: { readonly entity: string; readonly project: string } | undefined;
  /** Whether it may see and change this project. */
  allows(entity: string, project: string): boolean;
  /** The allowed verbs. Absent: everything. */
  readonly verbs?: readonly KeyVerb[];
}

/** Whether `principal` has the verb for any project. */
export function may({ verbs }: Principal, verb: KeyVerb): boolean {
  return verbs === undefined || verbs.includes(verb);
}

/** Authenticates a request by its headers. Undefined if the credentials are missing or wrong. */
export type Authenticate = (request: Request) => Promise<Principal | undefined>;
