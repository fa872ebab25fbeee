// Principal: who is asking. How that is found out is the server's business; the faces only use it.

/** Whoever sent a request, and what it may see. */
export interface Principal {
  /** The key's identifier, never the key. */
  readonly id: string;
  /** Whether it may read and change what belongs to this project. */
  allows(entity: string, project: string): boolean;
}

/** Finds out who sent `request`; undefined when it carries no valid key. */
export type Authenticate = (request: Request) => Promise<Principal | undefined>;
