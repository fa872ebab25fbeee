// The LoRA adapters of one engine: which are loaded and in use, and which to unload when there is no room. An adapter
// is used only once it has loaded, and unloaded only when it is not in use. Loading and unloading happen one at a time.

import { Fault } from "@assay/base";
import { serialQueue } from "@assay/base/internal";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { TrainedModel } from "../ports/trained-models.ts";
import type { AdapterLoader } from "../ports/upstream-engine.ts";

/** The adapters of an engine. */
export interface AdapterSlots {
  /** Whether an adapter is loaded or being loaded. */
  has(name: string): boolean;
  /**
   * Loads the adapter unless it is loaded, and keeps it until `release` is called. `path` is only called if it must be
   * loaded. Throws the fault `overloaded` if every slot is in use.
   */
  use(name: string, path: () => Promise<string>): Promise<AdapterUse>;
}

/** An adapter that stays loaded. */
interface AdapterUse {
  /** Releases it. */
  release(): void;
  /** Reports that the engine does not have it, as after a restart: the next use loads it again. */
  lost(): void;
}

interface Slot {
  users: number;
  isLoaded: boolean;
  /** When it was last used, as a count of uses. */
  used: number;
  readonly loaded: Promise<void>;
}

/** At most `slots` loaded adapters; the least recently used one is unloaded first. */
export function adapterSlots(loader: AdapterLoader, slots: number): AdapterSlots {
  const held = new Map<string, Slot>();
  let uses = 0;
  const inTurn = serialQueue();

  const makeRoom = async () => {
    const loaded = [...held].filter(([, slot]) => slot.isLoaded);
    if (loaded.length < slots) return;
    const idle = loaded.filter(([, slot]) => slot.users === 0).sort(([, a], [, b]) => a.used - b.used);
    const [oldest] = idle;
    if (oldest === undefined) throw new Fault("overloaded", "every adapter of the engine is in use");
    const [name, slot] = oldest;
    // Removed from the list first, so that a concurrent request loads it again, after this.
    held.delete(name);
    try {
      await loader.unload(name);
    } catch (error) {
      if (!held.has(name)) held.set(name, slot);
      throw error;
    }
  };

  const begin = (name: string, path: () => Promise<string>): Slot => {
    const loaded = inTurn(async () => {
      await makeRoom();
      await loader.load(name, await path());
      slot.isLoaded = true;
    });
    const slot: Slot = { users: 0, isLoaded: false, used: 0, loaded };
    held.set(name, slot);
    return slot;
  };

  return {
    has: (name) => held.has(name),

    async use(name, path) {
      const slot = held.get(name) ?? begin(name, path);
      slot.users++;
      slot.used = ++uses;
      let over = false;
      const release = () => {
        if (!over) slot.users--;
        over = true;
      };
      const lost = () => {
        if (held.get(name) === slot) held.delete(name);
      };
      try {
        await slot.loaded;
      } catch (error) {
        release();
        lost();
        throw error;
      }
      return { release, lost };
    },
  };
}

/**
 * The engine's name for a trained model. Our names contain `:` and `/`, which engines interpret; this one has only
 * letters, digits and dashes, and differs for every checkpoint.
 */
export function adapterName({ entity, project, name, step, checkpoint }: TrainedModel): string {
  const identity = JSON.stringify([entity, project, name, step, checkpoint?.id ?? null]);
  const readable = name.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 32);
  return `assay-${readable}-step${step}-${bytesToHex(sha256(utf8ToBytes(identity))).slice(0, 16)}`;
}
