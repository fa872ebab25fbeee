// When the command opens a browser.

import { expect, test } from "vitest";
import { openerOf } from "../src/commands/server/open-browser.ts";

const URL = "http://127.0.0.1:7777/#/a/b/compare";

test.each([
  ["a terminal with a screen", { env: { DISPLAY: ":0" }, columns: 80 }, ["xdg-open", URL]],
  ["Wayland", { env: { WAYLAND_DISPLAY: "wayland-0" }, columns: 80 }, ["xdg-open", URL]],
  ["no terminal", { env: { DISPLAY: ":0" } }, undefined],
  ["CI", { env: { DISPLAY: ":0", CI: "true" }, columns: 80 }, undefined],
  ["another machine's terminal", { env: { DISPLAY: ":0", SSH_CONNECTION: "a b" }, columns: 80 }, undefined],
  ["no screen", { env: {}, columns: 80 }, undefined],
])("with %s", (_, context, expected) => {
  const { env, columns } = { columns: undefined, ...context };
  expect(openerOf({ env, stdout: { stream: process.stdout, columns } }, URL, "linux")).toEqual(expected);
});

test("macOS and Windows use their own tools", () => {
  const context = { env: {}, stdout: { stream: process.stdout, columns: 80 } };
  expect(openerOf(context, URL, "darwin")).toEqual(["open", URL]);
  expect(openerOf(context, URL, "win32")?.at(-1)).toBe(URL);
  expect(openerOf(context, URL, "aix")).toBeUndefined();
});
