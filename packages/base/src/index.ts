export { Fault, type FaultCode } from "./fault.ts";
export type { Json } from "./json.ts";
export { jsonText, keepNumberText, mayLoseNumbers, numberText, parseJson } from "./json-text.ts";
export { expectSame, expectThat, type Law, lawsFor, type Open } from "./law.ts";
export { bad, type Issue, ok, type Result } from "./result.ts";
