// The report of a test runner in JUnit's XML, as JSON lines: a record for each test, with whether it passed and its
// properties, such as those that pytest's `record_property` adds.

import type { JsonObject } from "../json/json-text.ts";
import { markupIn, type Tag } from "./markup.ts";

/** Whether a text begins like a report of JUnit. */
export function isTestReport(sample: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<testsuites?\b/s.test(sample);
}

interface Test {
  readonly suite: string;
  readonly own: { [name: string]: string | number | boolean };
  readonly shared: { [name: string]: string };
}

/** The tests as JSON lines; undefined if there are none. */
export function linesOfTests(text: string): string | undefined {
  const tests: Test[] = [];
  let [suite, shared, test]: [string, Test["shared"], Test | undefined] = ["", {}, undefined];
  for (const part of markupIn(text)) {
    if (typeof part === "string") continue;
    const { name, attributes, isEmpty } = part;
    if (name === "testsuite") [suite, shared] = [attributes.get("name") ?? "", {}];
    else if (name === "testcase") {
      test = { suite, own: testOf(part), shared };
      tests.push(test);
    }
    if (name === "/testcase" || (name === "testcase" && isEmpty)) test = undefined;
    const message = attributes.get("message") ?? "";
    const properties = test?.own ?? shared;
    if (name === "property" && attributes.has("name"))
      properties[attributes.get("name")!] = attributes.get("value") ?? "";
    else if (test === undefined) continue;
    else if (name === "failure") Object.assign(test.own, { passed: false, explanation: message });
    // A test that could not run has no result.
    else if (name === "error" || name === "skipped") {
      delete test.own["passed"];
      if (name === "error") test.own["error"] = message || attributes.get("type") || "error";
    }
  }
  // Suites may have tests of the same name.
  const suites = new Map(tests.map((one) => [one.own["test"], one.suite]));
  const areShared = tests.some((one) => suites.get(one.own["test"]) !== one.suite);
  const records: readonly JsonObject[] = tests.map((one) => ({
    ...one.shared,
    ...one.own,
    ...(areShared && { test: `${one.suite} ${one.own["test"]}` }),
  }));
  return records.length === 0 ? undefined : records.map((one) => `${JSON.stringify(one)}\n`).join("");
}

function testOf({ attributes }: Tag): Test["own"] {
  const [group, name, time] = ["classname", "name", "time"].map((key) => attributes.get(key) ?? "");
  const seconds = time === "" ? Number.NaN : Number(time);
  return {
    test: [group, name].filter(Boolean).join(" "),
    passed: true,
    ...(Number.isFinite(seconds) && { duration_seconds: seconds }),
  };
}
