// Encodes places as fragments of an address, and decodes them. Total: every text is a place, and every place survives a
// round trip. Invalid parts are left out, and parameters of another version of the page are kept.

import {
  CHANGES,
  type Chip,
  CONDITION_OPS,
  type CompareRoute,
  comparisonOf,
  ORDERS,
  type PageRoute,
  TABS,
} from "./page-route.ts";

type Pairs = readonly (readonly [string, string])[];

/** The fragment of a place, with its `#`. */
export function encode(place: PageRoute): string {
  const [path, pairs] = written(place);
  const query = [...pairs, ...place.rest].map(([key, value]) => `${escaped(key)}=${escaped(value)}`);
  return `#/${path}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

/** The place of a fragment, with or without its `#`. */
export function decode(fragment: string): PageRoute {
  const text = fragment.replace(/^#/, "");
  const at = text.indexOf("?");
  const path = (at === -1 ? text : text.slice(0, at)).replace(/^\//, "");
  const segments = path === "" ? [] : path.split("/").map(unescaped);
  const pairs = at === -1 ? [] : pairsOf(text.slice(at + 1));
  return read(path.split("/")[0] ?? "", segments, pairs);
}

// Entities may have any names, so the page's own areas start with a character that is escaped in entities.
const AREA = "~";

function written(place: PageRoute): readonly [string, Pairs] {
  switch (place.view) {
    case "start":
      return ["", []];
    case "evaluations":
      return [projectPath(place.project), []];
    case "compare":
      return [`${projectPath(place.project)}/compare`, comparePairs(place)];
    case "runs": {
      const path = `${projectPath(place.project)}/runs`;
      const [first, ...others] = place.runs;
      if (first !== undefined && others.length === 0) return [`${path}/${segment(first)}`, []];
      return [path, place.runs.map((run) => ["r", run])];
    }
    case "calls":
      return [`${projectPath(place.project)}/calls`, []];
    case "call":
      return [`${projectPath(place.project)}/calls/${segment(place.id)}`, []];
    case "job":
      return [`${AREA}training/${segment(place.id)}`, []];
    case "model":
      return [`${AREA}models/${segment(place.id)}`, []];
    case "chat":
      return [`${AREA}chat`, place.models.map((model) => ["m", model])];
    case "usage":
      return [`${AREA}usage`, place.by.map((by) => ["by", by])];
    default:
      return [`${AREA}${place.view}`, []];
  }
}

function read(area: string, segments: readonly string[], pairs: Pairs): PageRoute {
  const [first = "", second, third, fourth = ""] = segments;
  const only = (...known: string[]): Pairs => pairs.filter(([key]) => !known.includes(key));
  const all = (key: string) => pairs.filter(([name]) => name === key).map(([, value]) => value);
  if (area.startsWith(AREA)) {
    switch (area.slice(1)) {
      case "training":
        return second === undefined
          ? { view: "training", rest: pairs }
          : { view: "job", id: second, rest: pairs };
      case "models":
        return second === undefined
          ? { view: "models", rest: pairs }
          : { view: "model", id: second, rest: pairs };
      case "chat":
        return { view: "chat", models: all("m"), rest: only("m") };
      case "usage":
        return { view: "usage", by: all("by"), rest: only("by") };
      case "keys":
        return { view: "keys", rest: pairs };
      case "open":
        return { view: "open", rest: pairs };
      default:
        return { view: "start", rest: pairs };
    }
  }
  if (first === "" || second === undefined || second === "") return { view: "start", rest: pairs };
  const project = `${first}/${second}`;
  if (third === "compare") return readCompare(project, pairs);
  if (third === "calls")
    return fourth === ""
      ? { view: "calls", project, rest: pairs }
      : { view: "call", project, id: fourth, rest: pairs };
  if (third !== "runs") return { view: "evaluations", project, rest: pairs };
  if (fourth !== "") return { view: "runs", project, runs: [fourth], rest: pairs };
  const runs = [...new Set(all("r"))].filter((run) => run !== "");
  return { view: "runs", project, runs, rest: only("r") };
}

function projectPath(project: string): string {
  const at = project.indexOf("/");
  return `${segment(project.slice(0, at))}/${segment(project.slice(at + 1))}`;
}

function comparePairs(place: CompareRoute): Pairs {
  const pairs: [string, string][] = place.evaluations.map((id) => ["e", id]);
  const add = (key: string, value: string | undefined): void => {
    if (value !== undefined) pairs.push([key, value]);
  };
  add("b", place.baseline);
  add("c", place.candidate);
  add("s", place.measure);
  for (const field of place.lower) add("lower", field);
  for (const chip of place.chips) add("f", chipText(chip));
  add("change", place.change);
  add("sort", place.order === ORDERS[0] ? undefined : place.order);
  add("tab", place.tab === TABS[0] ? undefined : place.tab);
  for (const field of place.by) add("by", field);
  add("row", place.row);
  add("trial", place.trials.some((trial) => trial !== 0) ? place.trials.join(".") : undefined);
  add("diff", place.diff ? undefined : "off");
  add("against", place.expected ? "expected" : undefined);
  add("dens", place.dense ? "dense" : undefined);
  return pairs;
}

const KNOWN = [
  "e",
  "b",
  "c",
  "s",
  "lower",
  "f",
  "change",
  "sort",
  "tab",
  "by",
  "row",
  "trial",
  "diff",
  "against",
  "dens",
];

function readCompare(project: string, pairs: Pairs): PageRoute {
  const all = (key: string) => pairs.filter(([name]) => name === key).map(([, value]) => value);
  const one = (key: string) => all(key)[0];
  const of = <T extends string>(values: readonly T[], key: string): T | undefined =>
    values.find((value) => value === one(key));
  const optional = <K extends string, T>(key: K, value: T | undefined): { readonly [name in K]?: T } =>
    (value === undefined ? {} : { [key]: value }) as { readonly [name in K]?: T };
  return comparisonOf(project, {
    evaluations: [...new Set(all("e"))],
    ...optional("baseline", one("b")),
    ...optional("candidate", one("c")),
    ...optional("measure", one("s")),
    lower: [...new Set(all("lower"))],
    chips: all("f").flatMap((text) => readChip(text) ?? []),
    ...optional("change", of(CHANGES, "change")),
    order: of(ORDERS, "sort") ?? ORDERS[0],
    tab: of(TABS, "tab") ?? TABS[0],
    by: [...new Set(all("by"))],
    ...optional("row", one("row")),
    trials: readTrials(one("trial")),
    diff: one("diff") !== "off",
    expected: one("against") === "expected",
    dense: one("dens") === "dense",
    ...{ rest: pairs.filter(isUnread) },
  });
}

/** Parameters of another version, and filters that cannot be read, for the reader to see that they are missing. */
function isUnread([key, value]: readonly [string, string]): boolean {
  return !KNOWN.includes(key) || (key === "f" && readChip(value) === undefined);
}

function readTrials(text: string | undefined): readonly [number, number] {
  const [, left, right] = /^(\d{1,6})\.(\d{1,6})$/.exec(text ?? "") ?? [];
  return [Number(left ?? 0), Number(right ?? 0)];
}

/** A chip as text: `inputs.kind~eq~"in words"`, `@ID|scores.correct~eq~true`, or an answer's filter as JSON. */
function chipText(chip: Chip): string {
  if (chip.kind !== "condition") return JSON.stringify([chip.kind, chip.label, chip.filter]);
  const scope = chip.evaluation === undefined ? "" : `@${segment(chip.evaluation)}|`;
  return `${scope}${segment(chip.field)}~${chip.op}~${JSON.stringify(chip.value)}`;
}

function readChip(text: string): Chip | undefined {
  const json = text.startsWith("[") ? readJson(text) : undefined;
  if (Array.isArray(json)) {
    const [kind, label, filter] = json as unknown[];
    const good = typeof label === "string" && typeof filter === "object" && filter !== null;
    if (!good || (kind !== "filter" && kind !== "row")) return undefined;
    return { kind, label, filter };
  }
  const [, scope, field, opText, valueText] = /^(?:@([^|]*)\|)?([^~]+)~([a-z]+)~(.*)$/s.exec(text) ?? [];
  const op = CONDITION_OPS.find((known) => known === opText);
  const value = valueText === undefined ? undefined : readJson(valueText);
  if (field === undefined || op === undefined || value === undefined) return undefined;
  if (typeof value === "object" && value !== null) return undefined;
  const condition = { kind: "condition", field: unescaped(field), op, value: value as string } as const;
  return scope === undefined ? condition : { ...condition, evaluation: unescaped(scope) };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function pairsOf(query: string): Pairs {
  if (query === "") return [];
  return query.split("&").map((pair) => {
    const at = pair.indexOf("=");
    return at === -1 ? [unescaped(pair), ""] : [unescaped(pair.slice(0, at)), unescaped(pair.slice(at + 1))];
  });
}

/** A segment of the path; one that starts like an area is escaped further. */
function segment(text: string): string {
  return encodeURIComponent(wellFormed(text)).replaceAll("~", "%7E");
}

/** A part of the query: escaped only if necessary, to stay readable. */
function escaped(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(
    /%(?:40|3A|2F|5B|5D|2C|24)/g,
    (code) => READABLE[code]!,
  );
}

/** A lone surrogate cannot be escaped. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

const READABLE: Readonly<Record<string, string>> = {
  "%40": "@",
  "%3A": ":",
  "%2F": "/",
  "%5B": "[",
  "%5D": "]",
  "%2C": ",",
  "%24": "$",
};

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
