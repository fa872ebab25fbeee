// How many records the files of the usage journal hold, and how many were lost: beside them, so that a file that is cut
// between two lines, or gone, is noticed. Written after each record without waiting for the disk, as the record is.

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { PRIVATE_FILE } from "../private-files.ts";

/** What is known of the journal's files, by their number. */
interface UsageNumbers {
  /** Lines that were written to each since it was empty. */
  readonly held: readonly [number, number];
  /** How many of these are known to be lost. */
  readonly missing: readonly [number, number];
  /** Records that were ever lost, those among them. */
  readonly lost: number;
}

/** The numbers in a file. */
export interface UsageCount {
  readonly numbers: UsageNumbers;
  /** Keeps other numbers. When it throws, they are as they were. */
  write(numbers: UsageNumbers): void;
  close(): void;
}

/** The numbers of a journal that is new. */
const NONE: UsageNumbers = { held: [0, 0], missing: [0, 0], lost: 0 };
// As wide as a number can be, so that a write never leaves a part of the one before.
const WIDTH = 16;

/** Opens the numbers. `onDamage` is told when they cannot be read: they are those of a new journal then. */
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
