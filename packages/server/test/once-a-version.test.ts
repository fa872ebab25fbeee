// What is told of all calls of a project is worked out once for each version of them.

import { expect, test } from "vitest";
import { onceAVersion } from "../src/once-a-version.ts";

test("is asked once until something is written, by project, and again after a failure", async () => {
  const versions = new Map([
    ["a", 1],
    ["b", 1],
  ]);
  const asked: string[] = [];
  let fails = false;
  const told = onceAVersion({ version: (project) => versions.get(project)! }, async (project) => {
    asked.push(project);
    if (fails) throw new Error("gone");
    return `${project} ${versions.get(project)}`;
  });
  expect(await Promise.all([told("a"), told("a"), told("b")])).toEqual(["a 1", "a 1", "b 1"]);
  expect(asked).toEqual(["a", "b"]);
  versions.set("a", 2);
  expect([await told("a"), await told("b")]).toEqual(["a 2", "b 1"]);
  versions.set("a", 3);
  fails = true;
  await expect(told("a")).rejects.toThrow("gone");
  fails = false;
  expect(await told("a")).toBe("a 3");
  expect(asked).toEqual(["a", "b", "a", "a", "a"]);
});
