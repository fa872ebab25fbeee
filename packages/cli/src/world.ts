// The environment of one run of the command: input, output, and the signal to stop. Tests make their own.

import type { Readable, Writable } from "node:stream";
import { plainJson, plainLine, plainPiece } from "./plain-text.ts";

/** Where a command writes. A terminal has columns and understands escapes. */
export interface Output {
  readonly stream: Writable;
  /** Columns of the terminal; undefined when it is none. */
  readonly columns: number | undefined;
}

/** All that a command may touch besides files and the network. */
export interface World {
  readonly env: { readonly [name: string]: string | undefined };
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted when the user or the system asks the command to end; the reason is the name of the process's signal. */
  readonly signal: AbortSignal;
  /** Whether only results and errors are printed. */
  readonly quiet?: boolean;
  /** The folder of the files that come with the command: the examples. */
  readonly files: string;
  /** How a person runs the command again: `assay` where it is installed. */
  readonly command: string;
}

/** Writes a line for a person to stderr, without terminal escapes that data may have brought along. */
export function say(world: World, text: string): void {
  world.stderr.stream.write(`${text.split("\n").map(plainLine).join("\n")}\n`);
}

/** Says of itself what went wrong or is put right, each thing on a line. */
export function toldTo(world: World): (message: string) => void {
  return (message) => say(world, `assay: ${message}`);
}

/** Says what is good to know and can go unsaid. */
export function note(world: World, text: string): void {
  if (world.quiet !== true) say(world, text);
}

/** Writes a line, or lines, to stdout, without what a terminal would take for a command; resolves when there is room for more. */
export function print(world: World, text: string): Promise<void> {
  return write(world, `${plainPiece(text)}\n`);
}

/** Writes a value to stdout as JSON in which a terminal finds no command; resolves when there is room for more. */
export function printJson(world: World, value: unknown, indent = 2): Promise<void> {
  return write(world, `${plainJson(JSON.stringify(value, null, indent))}\n`);
}

/** Writes to stdout what a command did, which can go unsaid. */
export async function tell(world: World, text: string): Promise<void> {
  if (world.quiet !== true) await print(world, text);
}

/** Writes to stdout what is plain already; resolves when there is room for more. */
export async function write(world: World, text: string): Promise<void> {
  const { stream } = world.stdout;
  if (stream.write(text) || stream.destroyed) return;
  await new Promise<void>((resume) => {
    stream.once("drain", resume);
    stream.once("close", resume);
  });
}
