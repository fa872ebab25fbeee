// How the base model is pretrained: how much, how fast, and the digest by which a test sees that it was with this text.
import { createHash } from "node:crypto";
import { TINY_SHAPE } from "../src/model/model.ts";
import { corpus } from "./corpus.ts";

/** How often it goes through all that is known. */
export const PASSES = 60;

/** Conversations per update. */
export const BATCH = 8;

/** Where wordings and orders come from. */
export const SEED = 1;

const HIGHEST = 0.01;

/** Adam's step at this part (0 to 1) of the way: it rises for a little while, then falls in a straight line. */
export function rateAt(part: number): number {
  return HIGHEST * Math.max(0.02, Math.min(1, 0.02 + part * 80, 1.1 * (1 - part)));
}

/** The SHA-256 of the shape, the recipe and two passes of the text: another digest means other weights. */
export function corpusDigest(): string {
  const recipe = { TINY_SHAPE, PASSES, BATCH, SEED, HIGHEST, text: corpus(2, SEED) };
  return createHash("sha256").update(JSON.stringify(recipe)).digest("hex");
}
