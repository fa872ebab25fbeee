// How many records the files of the usage journal hold, and how many were lost. Stored in a separate file, to detect
// journal files that are missing or were cut between two lines. Like the records, it is written after each record
// without waiting for the disk.

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { PRIVATE_FILE } from "../files/private-files.ts";

/** Counts for the journal's files, by number. */
interface UsageNumbers {
  /** The number of lines written to each since it was empty. */
  readonly held: readonly [number, number];
  /** How many of these are known to be lost. */
  readonly missing: readonly [number, number];
  /** The number of records ever lost, including those. */
  readonly lost: number;
}

/** The numbers in a file. */
export interface UsageCount {
  readonly numbers: UsageNumbers;
  /** Stores other numbers. If it throws, the numbers are unchanged. */
  write(numbers: UsageNumbers): void;
  close(): void;
}

/** The numbers of a new journal. */
const NONE: UsageNumbers = { held: [0, 0], missing: [0, 0], lost: 0 };
// As wide as a number can be, so that each write overwrites the previous one completely.
const WIDTH = 16;

/** Opens the numbers. If they cannot be read, calls `onDamage` and uses those of a new journal. */
export function openUsageCount(path: string, onDamage: (message: string) => void): UsageCount {
  closeSync(openSync(path, "a", PRIVATE_FILE));
  const file = openSync(path, "r+");
  const text = readFileSync(file, "latin1");
  const read = readNumbers(text);
  if (read === undefined && text !== "")
    onDamage("usage.count is damaged: how many records were lost before is not known");
  let numbers = read ?? NONE;
  return {
    get numbers() {
      return numbers;
    },
    write(next) {
      const { held, missing, lost } = next;
      const words = [...held, ...missing, lost].map((number) => String(number).padStart(WIDTH)).join(" ");
      writeSync(file, `${crcOf(words)} ${words}\n`, 0);
      numbers = next;
    },
    close: () => closeSync(file),
  };
}

function readNumbers(text: string): UsageNumbers | undefined {
  const words = text.slice(9, -1);
  if (text.slice(0, 8) !== crcOf(words)) return undefined;
  const [held0 = 0, held1 = 0, missing0 = 0, missing1 = 0, lost = 0] = words.trim().split(/ +/).map(Number);
  return { held: [held0, held1], missing: [missing0, missing1], lost };
}

function crcOf(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
