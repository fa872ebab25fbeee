// The environment of one run of the command: input, output, and the signal to stop. Tests create their own.

import type { Readable, Writable } from "node:stream";
import { plainJson, plainLine, plainPiece } from "./plain-text.ts";

/** An output stream. A terminal has columns and understands escapes. */
export interface Output {
  readonly stream: Writable;
  /** The width of the terminal; undefined if it is not one. */
  readonly columns: number | undefined;
}

/** Everything that a command may access except files and the network. */
export interface CliContext {
  readonly env: { readonly [name: string]: string | undefined };
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted when the user or the system asks the command to end; the reason is the name of the signal. */
  readonly signal: AbortSignal;
  /** Called by commands that serve other programs, and so continue when their output can no longer be written. */
  readonly outliveOutput?: () => void;
  /** Whether to print only results and errors. */
  readonly quiet?: boolean;
  /** The folder of the bundled examples. */
  readonly files: string;
  /** How users run the command again: `assay` if it is installed. */
  readonly command: string;
}

/** Writes a line for people to stderr, without terminal escapes from data. */
export function log(context: CliContext, text: string): void {
  context.stderr.stream.write(`${text.split("\n").map(plainLine).join("\n")}\n`);
}

/** Returns a function that writes errors and repairs to stderr, each on a line. */
export function messageLog(context: CliContext): (message: string) => void {
  return (message) => log(context, `assay: ${message}`);
}

/** Writes a line to stderr, unless only results and errors are to be printed. */
export function info(context: CliContext, text: string): void {
  if (context.quiet !== true) log(context, text);
}

/** Writes lines to stdout, without anything that a terminal would interpret; resolves when there is room for more. */
export function print(context: CliContext, text: string): Promise<void> {
  return write(context, `${plainPiece(text)}\n`);
}

/**
 * Writes a value to stdout as JSON, without anything that a terminal would interpret; resolves when there is room for
 * more.
 */
export function printJson(context: CliContext, value: unknown, indent = 2): Promise<void> {
  return write(context, `${plainJson(JSON.stringify(value, null, indent))}\n`);
}

/** Writes what a command did to stdout, unless only results and errors are to be printed. */
export async function printInfo(context: CliContext, text: string): Promise<void> {
  if (context.quiet !== true) await print(context, text);
}

/** Writes text that is already plain to stdout; resolves when there is room for more. */
export async function write(context: CliContext, text: string): Promise<void> {
  const { stream } = context.stdout;
  if (stream.write(text) || stream.destroyed) return;
  await new Promise<void>((resume) => {
    stream.once("drain", resume);
    stream.once("close", resume);
  });
}
