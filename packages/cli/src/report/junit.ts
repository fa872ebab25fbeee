// A comparison as a JUnit report, which CI systems read: a suite for each candidate, a case for each measure.

import { XMLBuilder } from "fast-xml-parser";
import { plainText } from "../terminal/plain-text.ts";

/** A case of the report. */
export interface JunitCase {
  readonly name: string;
  /** The evidence, as a sentence. */
  readonly text: string;
  /** The verdict, if it fails the gate; else undefined. */
  readonly failure: string | undefined;
  /** Why it cannot be judged; undefined if it has a verdict. */
  readonly skipped: string | undefined;
}

/** Cases about one pair. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  /** Caveats. */
  readonly notes: readonly string[];
}

/** The report as XML. */
export function junitXml(suites: readonly JunitSuite[]): string {
  const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: "@", format: true });
  const cases = suites.flatMap((suite) => suite.cases);
  const document = {
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    testsuites: {
      "@name": "assay compare",
      ...countsOf(cases),
      testsuite: suites.map((suite) => ({
        "@name": xmlText(suite.name),
        ...countsOf(suite.cases),
        testcase: suite.cases.map((one) => caseOf(one, suite.name)),
        ...(suite.notes.length > 0 && { "system-out": suite.notes.map(xmlText).join("\n") }),
      })),
    },
  };
  return builder.build(document) as string;
}

function caseOf({ name, text, failure, skipped }: JunitCase, suite: string): object {
  const named = { "@name": xmlText(name), "@classname": xmlText(suite) };
  if (failure !== undefined)
    return { ...named, failure: { "@message": xmlText(text), "@type": failure, "#text": xmlText(text) } };
  return skipped === undefined
    ? { ...named, "system-out": xmlText(text) }
    : { ...named, skipped: { "@message": xmlText(text) } };
}

function countsOf(cases: readonly JunitCase[]): object {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter((one) => one.failure === undefined && one.skipped !== undefined).length;
  return { "@tests": cases.length, "@failures": failures, "@errors": 0, "@skipped": skipped };
}

/** Text without characters that XML forbids: control characters, lone surrogates and the two noncharacters. */
function xmlText(text: string): string {
  return plainText(text).replaceAll(/[\p{Surrogate}\ufffe\uffff]/gu, "\ufffd");
}
