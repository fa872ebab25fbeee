// Finds the stored calls that a put may change: recent ones in memory, the others in the journal.

import { lruCache } from "@assay/base/internal";
import type { CallText, KeptCall } from "@assay/calls";
import type { Transaction } from "../database/database.ts";
import type { Journal } from "../records/journal.ts";
import { inSlices } from "../records/read-in-turns.ts";
import { type FoundCall, findById } from "./call-index.ts";
import { callOf, isLong, readLongCall } from "./call-text.ts";

// The bytes (or characters) of recent calls kept in memory to merge later parts into.
const RECENT = 4 * 1024 * 1024;

/** A stored call, or one whose text is damaged. */
export interface KnownCall {
  readonly found: FoundCall;
  /** As it was put, if it is recent, with the parsed object if it was parsed. */
  readonly item: (CallText & Pick<KeptCall, "record">) | undefined;
}

/** Stored calls by their ids, and damaged ones by the hash of theirs. */
interface FoundCalls {
  readonly byId: ReadonlyMap<string, KnownCall>;
  readonly damaged: ReadonlyMap<number, KnownCall>;
}

/** The stored calls of a database. */
export interface KnownCalls {
  /** The calls of a project whose ids have these hashes. */
  find(transaction: Transaction, project: number, hashes: readonly number[]): Promise<FoundCalls>;
  /** Remembers a call that was written at `at`. */
  remember(at: number, item: CallText): void;
  /** Forgets a call that was replaced. */
  forget(found: FoundCall): void;
}

/** The stored calls with texts in `journal`. */
export function knownCalls(journal: Journal): KnownCalls {
  // The end of a call mostly follows soon after its start; a cached call need not be read and parsed again.
  const recent = lruCache<number, CallText>(RECENT, ({ text }) => text.length);
  return {
    async find(transaction, project, hashes) {
      const founds = await findById(transaction, project, hashes);
      const byId = new Map<string, KnownCall>();
      const damaged = new Map<number, KnownCall>();
      const toRead: FoundCall[] = [];
      for (const found of founds) {
        const item = recent.get(found.at);
        // It may have been deleted since it was stored.
        if (item?.call.deleted_at === found.deletedAt) byId.set(item.call.id, { found, item });
        else toRead.push(found);
      }
      const keep = (found: FoundCall, item: KnownCall["item"]): void => {
        if (item === undefined) damaged.set(found.idHash, { found, item });
        else byId.set(item.call.id, { found, item });
      };
      for (const found of toRead.filter(isLong)) keep(found, await readLongCall(journal, found));
      const short = toRead.filter((found) => !isLong(found));
      for await (const some of inSlices(short, ({ size }) => size)) {
        journal.visit(some, (i, record) => {
          const found = some[i]!;
          keep(found, record && callOf(record.toString(), found.deletedAt));
        });
      }
      return { byId, damaged };
    },
    remember: (at, item) => recent.set(at, item),
    forget: ({ at }) => recent.delete(at),
  };
}
