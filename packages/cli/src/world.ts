// The environment of one run of the command: input, output, and the signal to stop. Tests make their own.

import type { Readable, Writable } from "node:stream";
import { plainJson, plainLine, plainPiece } from "./plain-text.ts";

/** An output stream. A terminal has columns and understands escapes. */
export interface Output {
  readonly stream: Writable;
  /** The width of the terminal; undefined if it is not one. */
  readonly columns: number | undefined;
}

/** Everything that a command may access besides files and the network. */
export interface World {
  readonly env: { readonly [name: string]: string | undefined };
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted when the user or the system asks the command to end; the reason is the name of the signal. */
  readonly signal: AbortSignal;
  /** Whether to print only results and errors. */
  readonly quiet?: boolean;
  /** The folder of the bundled examples. */
  readonly files: string;
  /** How users run the command again: `assay` if it is installed. */
  readonly command: string;
}

/** Writes a line for people to stderr, without terminal escapes from data. */
export function say(world: World, text: string): void {
  world.stderr.stream.write(`${text.split("\n").map(plainLine).join("\n")}\n`);
}

/** Prints errors and repairs, each on a line. */
export function toldTo(world: World): (message: string) => void {
  return (message) => say(world, `assay: ${message}`);
}

/** Prints optional information. */
export function note(world: World, text: string): void {
  if (world.quiet !== true) say(world, text);
}

/** Writes lines to stdout, without anything that a terminal would interpret; resolves when there is room for more. */
export function print(world: World, text: string): Promise<void> {
  return write(world, `${plainPiece(text)}\n`);
}

/**
 * Writes a value to stdout as JSON, without anything that a terminal would interpret; resolves when there is room for
 * more.
 */
export function printJson(world: World, value: unknown, indent = 2): Promise<void> {
  return write(world, `${plainJson(JSON.stringify(value, null, indent))}\n`);
}

/** Prints what a command did, which is optional. */
export async function tell(world: World, text: string): Promise<void> {
  if (world.quiet !== true) await print(world, text);
}

/** Writes text that is already plain to stdout; resolves when there is room for more. */
export async function write(world: World, text: string): Promise<void> {
  const { stream } = world.stdout;
  if (stream.write(text) || stream.destroyed) return;
  await new Promise<void>((resume) => {
    stream.once("drain", resume);
    stream.once("close", resume);
  });
}
