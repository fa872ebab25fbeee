/**
 * Answers in words: numbers, rates and differences, the verdict on a measure, and names of rows and references. Pure
 * and without the engine, so that a page in a browser and a command use the same words.
 *
 * @packageDocumentation
 */

export { didYouMean, nearest } from "@assay/base/internal";
export { fieldText } from "../query/field-text.ts";
export { whereText } from "../query/where-text.ts";
export { rowDifference } from "../statistics/rows/row-difference.ts";
export { chanceText, numberText } from "../statistics/wire/number-text.ts";
export { refName } from "../trials/ref-name.ts";
export { cutText } from "./cut-text.ts";
export { type DefaultPair, defaultPair, isPairOrdered, pairSentence } from "./default-pair.ts";
export { distinctLabels } from "./distinct-labels.ts";
export { fieldName, leafField, rowField, scoreField } from "./field-name.ts";
export { type Leaf, leavesOf } from "./json-leaves.ts";
export {
  type Bounds,
  countText,
  differenceBoundsText,
  differenceText,
  levelText,
  type MeasureKind,
  marginText,
  meanBoundsText,
  meanText,
  measureName,
  NO_VALUE,
} from "./measure-text.ts";
export { pointsText, rateText, statsAsCompared } from "./rate-text.ts";
export { splitAt, titleField } from "./row-title.ts";
export { signedText } from "./signed-text.ts";
export { differs, dividingSlices, isTested, sliceFieldText, sliceText } from "./slice-text.ts";
export {
  evidenceText,
  neededText,
  othersSentence,
  rankReasonText,
  rowsToSettle,
  type SideNames,
  unclearText,
  verdictSentence,
  verdictText,
  warningText,
} from "./verdict-sentence.ts";
