// Converts OTLP's binary encoding of traces and logs to its JSON encoding and back. Untrusted: the number of values and
// the nesting depth are limited during reading.

import { bad, type Json, ok, type Result, type Steps } from "@assay/base";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** How to read a value: in one go, or as a message whose members are read one by one. */
type Read = ((reader: BinaryReader) => Json) | { readonly members: () => Members };
type Members = ReadonlyMap<number, Member>;

/** A member of a message: its name, its reader, and whether it may be repeated. */
type Member = readonly [name: string, read: Read, wire: WireType, repeated?: true];

/** The most members of messages in a request, including skipped ones. */
interface Budget {
  values: number;
}

const text: Read = (reader) => reader.string();
const hex: Read = (reader) => Buffer.from(reader.bytes()).toString("hex");
const base64: Read = (reader) => Buffer.from(reader.bytes()).toString("base64");
const bool: Read = (reader) => reader.bool();
const double: Read = (reader) => reader.double();
const int64: Read = (reader) => String(reader.int64());
const fixed64: Read = (reader) => String(reader.fixed64());
const whole: Read = (reader) => reader.int32();

const message = (members: () => Members): Read => ({ members });

const { Varint, Bit64, LengthDelimited } = WireType;

// The messages of opentelemetry/proto/trace/v1, logs/v1, common/v1 and resource/v1, by field number. Unused fields are
// skipped.
const ARRAY: Members = new Map([[1, ["values", message(() => ANY), LengthDelimited, true]]]);
const LIST: Members = new Map([[1, ["values", message(() => PAIR), LengthDelimited, true]]]);
const ANY: Members = new Map<number, Member>([
  [1, ["stringValue", text, LengthDelimited]],
  [2, ["boolValue", bool, Varint]],
  [3, ["intValue", int64, Varint]],
  [4, ["doubleValue", double, Bit64]],
  [5, ["arrayValue", message(() => ARRAY), LengthDelimited]],
  [6, ["kvlistValue", message(() => LIST), LengthDelimited]],
  [7, ["bytesValue", base64, LengthDelimited]],
]);
const PAIR: Members = new Map<number, Member>([
  [1, ["key", text, LengthDelimited]],
  [2, ["value", message(() => ANY), LengthDelimited]],
]);
const ATTRIBUTES: Member = ["attributes", message(() => PAIR), LengthDelimited, true];
const EVENT: Members = new Map<number, Member>([
  [1, ["timeUnixNano", fixed64, Bit64]],
  [2, ["name", text, LengthDelimited]],
  [3, ATTRIBUTES],
]);
const LINK: Members = new Map<number, Member>([
  [1, ["traceId", hex, LengthDelimited]],
  [2, ["spanId", hex, LengthDelimited]],
  [4, ATTRIBUTES],
]);
const STATUS: Members = new Map<number, Member>([
  [2, ["message", text, LengthDelimited]],
  [3, ["code", whole, Varint]],
]);
const SPAN: Members = new Map<number, Member>([
  [1, ["traceId", hex, LengthDelimited]],
  [2, ["spanId", hex, LengthDelimited]],
  [4, ["parentSpanId", hex, LengthDelimited]],
  [5, ["name", text, LengthDelimited]],
  [6, ["kind", whole, Varint]],
  [7, ["startTimeUnixNano", fixed64, Bit64]],
  [8, ["endTimeUnixNano", fixed64, Bit64]],
  [9, ATTRIBUTES],
  [11, ["events", message(() => EVENT), LengthDelimited, true]],
  [13, ["links", message(() => LINK), LengthDelimited, true]],
  [15, ["status", message(() => STATUS), LengthDelimited]],
]);
const RECORD: Members = new Map<number, Member>([
  [1, ["timeUnixNano", fixed64, Bit64]],
  [6, ATTRIBUTES],
  [9, ["traceId", hex, LengthDelimited]],
  [10, ["spanId", hex, LengthDelimited]],
  [11, ["observedTimeUnixNano", fixed64, Bit64]],
  [12, ["eventName", text, LengthDelimited]],
]);
const RESOURCE: Members = new Map([[1, ATTRIBUTES]]);
const SCOPE: Members = new Map<number, Member>([[1, ["name", text, LengthDelimited]]]);

/** Deeper than any attribute, but far from exhausting the stack. */
const MAX_DEPTH = 100;

/** The approximate number of members read per step. */
const STEP = 256;

function* readMembers(
  reader: BinaryReader,
  length: number,
  members: Members,
  budget: Budget,
  depth: number,
): Steps<Json> {
  if (depth > MAX_DEPTH) throw new RangeError(`it nests deeper than ${MAX_DEPTH} messages`);
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError("a message is longer than the body");
  const value: { [name: string]: Json } = {};
  while (reader.pos < end) {
    if (--budget.values < 0) throw new RangeError("it holds too many values");
    if (budget.values % STEP === 0) yield;
    const member = readTag(reader, members);
    if (member === undefined) continue;
    const [name, read, , repeated] = member;
    const one =
      typeof read === "function"
        ? read(reader)
        : yield* readMembers(reader, reader.uint32(), read.members(), budget, depth + 1);
    const before = value[name];
    if (!repeated) value[name] = one;
    else if (Array.isArray(before)) before.push(one);
    else value[name] = [one];
  }
  return value;
}

/** The next member; undefined if it is an unused one, which is skipped. */
function readTag(reader: BinaryReader, members: Members): Member | undefined {
  const [field, wire] = reader.tag();
  const member = members.get(field);
  if (member !== undefined && member[2] === wire) return member;
  reader.skip(wire, field);
  return undefined;
}

/** A request of any signal: items in scopes in resources, with different names and equal numbers. */
function requestOf([resources, scopes, items]: readonly [string, string, string], item: Members): Members {
  const ofScope: Members = new Map<number, Member>([
    [1, ["scope", message(() => SCOPE), LengthDelimited]],
    [2, [items, message(() => item), LengthDelimited, true]],
  ]);
  const ofResource: Members = new Map<number, Member>([
    [1, ["resource", message(() => RESOURCE), LengthDelimited]],
    [2, [scopes, message(() => ofScope), LengthDelimited, true]],
  ]);
  return new Map<number, Member>([[1, [resources, message(() => ofResource), LengthDelimited, true]]]);
}

const TRACES = requestOf(["resourceSpans", "scopeSpans", "spans"], SPAN);
const LOGS = requestOf(["resourceLogs", "scopeLogs", "logRecords"], RECORD);

/** Converts an `ExportTraceServiceRequest` to OTLP's JSON encoding. */
export function readTraceRequest(bytes: Uint8Array, maxValues: number): Steps<Result<Json>> {
  return readRequest(bytes, { members: TRACES, name: "ExportTraceServiceRequest", maxValues });
}

/** Converts an `ExportLogsServiceRequest` to OTLP's JSON encoding. */
export function readLogsRequest(bytes: Uint8Array, maxValues: number): Steps<Result<Json>> {
  return readRequest(bytes, { members: LOGS, name: "ExportLogsServiceRequest", maxValues });
}

function* readRequest(
  bytes: Uint8Array,
  of: { readonly members: Members; readonly name: string; readonly maxValues: number },
): Steps<Result<Json>> {
  try {
    const reader = new BinaryReader(bytes);
    return ok(yield* readMembers(reader, bytes.length, of.members, { values: of.maxValues }, 0));
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it breaks off";
    return bad([{ code: "value_error", path: ["body"], message: `the body is not a ${of.name}: ${reason}` }]);
  }
}

/**
 * An `ExportTraceServiceResponse` or `ExportLogsServiceResponse`, which are alike: it reports rejected items, if any.
 */
export function writeExportResponse(rejected: number, reason: string | undefined): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  if (rejected > 0) {
    writer.uint32((1 << 3) | LengthDelimited).fork();
    writer.uint32((1 << 3) | Varint).int64(rejected);
    writer.uint32((2 << 3) | LengthDelimited).string(reason ?? "");
    writer.join();
  }
  return Uint8Array.from(writer.finish());
}

/** A `google.rpc.Status`, from which exporters read a refusal. */
export function writeStatus(message: string): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  writer.uint32((2 << 3) | LengthDelimited).string(message);
  return Uint8Array.from(writer.finish());
}
