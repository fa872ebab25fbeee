// OTLP's binary encoding of traces and logs, to what its JSON encoding says and back. Untrusted: how much it holds and how deep it
// nests is bounded while it is read.

import { bad, type Json, ok, type Result, type Steps } from "@assay/base";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

type Read = (reader: BinaryReader, budget: Budget, depth: number) => Json;

/** A member of a message: its name, how it is read, and whether it may be there more than once. */
type Member = readonly [name: string, read: Read, wire: WireType, repeated?: true];

/** What a request may hold. */
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

const message =
  (members: () => ReadonlyMap<number, Member>): Read =>
  (reader, budget, depth) =>
    readMembers(reader, reader.uint32(), members(), budget, depth + 1);

const { Varint, Bit64, LengthDelimited } = WireType;

// The messages of opentelemetry/proto/trace/v1, logs/v1, common/v1 and resource/v1, by the numbers of their fields. Fields that
// nothing is made of are passed over.
const ARRAY: ReadonlyMap<number, Member> = new Map([
  [1, ["values", message(() => ANY), LengthDelimited, true]],
]);
const LIST: ReadonlyMap<number, Member> = new Map([
  [1, ["values", message(() => PAIR), LengthDelimited, true]],
]);
const ANY: ReadonlyMap<number, Member> = new Map<number, Member>([
  [1, ["stringValue", text, LengthDelimited]],
  [2, ["boolValue", bool, Varint]],
  [3, ["intValue", int64, Varint]],
  [4, ["doubleValue", double, Bit64]],
  [5, ["arrayValue", message(() => ARRAY), LengthDelimited]],
  [6, ["kvlistValue", message(() => LIST), LengthDelimited]],
  [7, ["bytesValue", base64, LengthDelimited]],
]);
const PAIR: ReadonlyMap<number, Member> = new Map<number, Member>([
  [1, ["key", text, LengthDelimited]],
  [2, ["value", message(() => ANY), LengthDelimited]],
]);
const ATTRIBUTES: Member = ["attributes", message(() => PAIR), LengthDelimited, true];
const EVENT: ReadonlyMap<number, Member> = new Map<number, Member>([
  [1, ["timeUnixNano", fixed64, Bit64]],
  [2, ["name", text, LengthDelimited]],
  [3, ATTRIBUTES],
]);
const STATUS: ReadonlyMap<number, Member> = new Map<number, Member>([
  [2, ["message", text, LengthDelimited]],
  [3, ["code", whole, Varint]],
]);
const SPAN: ReadonlyMap<number, Member> = new Map<number, Member>([
  [1, ["traceId", hex, LengthDelimited]],
  [2, ["spanId", hex, LengthDelimited]],
  [4, ["parentSpanId", hex, LengthDelimited]],
  [5, ["name", text, LengthDelimited]],
  [6, ["kind", whole, Varint]],
  [7, ["startTimeUnixNano", fixed64, Bit64]],
  [8, ["endTimeUnixNano", fixed64, Bit64]],
  [9, ATTRIBUTES],
  [11, ["events", message(() => EVENT), LengthDelimited, true]],
  [15, ["status", message(() => STATUS), LengthDelimited]],
]);
const RECORD: ReadonlyMap<number, Member> = new Map<number, Member>([
  [1, ["timeUnixNano", fixed64, Bit64]],
  [6, ATTRIBUTES],
  [9, ["traceId", hex, LengthDelimited]],
  [10, ["spanId", hex, LengthDelimited]],
  [11, ["observedTimeUnixNano", fixed64, Bit64]],
  [12, ["eventName", text, LengthDelimited]],
]);
const RESOURCE: ReadonlyMap<number, Member> = new Map([[1, ATTRIBUTES]]);
const SCOPE: ReadonlyMap<number, Member> = new Map<number, Member>([[1, ["name", text, LengthDelimited]]]);

/** Deeper than any attribute; far below what exhausts the stack. */
const MAX_DEPTH = 100;

function readMembers(
  reader: BinaryReader,
  length: number,
  members: ReadonlyMap<number, Member>,
  budget: Budget,
  depth: number,
): Json {
  if (depth > MAX_DEPTH) throw new RangeError(`it nests deeper than ${MAX_DEPTH} messages`);
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError("a message is longer than the body");
  const value: { [name: string]: Json } = {};
  while (reader.pos < end) {
    const member = readTag(reader, members);
    if (member === undefined) continue;
    if (--budget.values < 0) throw new RangeError("it holds too many values");
    const [name, read, , repeated] = member;
    const one = read(reader, budget, depth);
    const before = value[name];
    if (!repeated) value[name] = one;
    else if (Array.isArray(before)) before.push(one);
    else value[name] = [one];
  }
  return value;
}

/** The member that comes next; undefined when it is another, which is passed over. */
function readTag(reader: BinaryReader, members: ReadonlyMap<number, Member>): Member | undefined {
  const [field, wire] = reader.tag();
  const member = members.get(field);
  if (member !== undefined && member[2] === wire) return member;
  reader.skip(wire, field);
  return undefined;
}

/** A part of a message that holds others: which of its fields are read at once, and which are read step by step. */
interface Level {
  readonly members: ReadonlyMap<number, Member>;
  /** The field of the repeated part, its name, and what that holds; undefined when it is read at once. */
  readonly field: number;
  readonly name: string;
  readonly inner: Level | ReadonlyMap<number, Member>;
}

/** A request of some signal: things of scopes of resources, which are called otherwise and numbered alike. */
function requestOf(
  [resources, scopes, items]: readonly [string, string, string],
  item: ReadonlyMap<number, Member>,
): Level {
  const ofScope: Level = {
    members: new Map([[1, ["scope", message(() => SCOPE), LengthDelimited]]]),
    field: 2,
    name: items,
    inner: item,
  };
  const ofResource: Level = {
    members: new Map([[1, ["resource", message(() => RESOURCE), LengthDelimited]]]),
    field: 2,
    name: scopes,
    inner: ofScope,
  };
  return { members: new Map(), field: 1, name: resources, inner: ofResource };
}

const TRACES = requestOf(["resourceSpans", "scopeSpans", "spans"], SPAN);
const LOGS = requestOf(["resourceLogs", "scopeLogs", "logRecords"], RECORD);

/** An `ExportTraceServiceRequest` as OTLP's JSON encoding has it, a span in each step. */
export function readTraceRequest(bytes: Uint8Array, maxValues: number): Steps<Result<Json>> {
  return readRequest(bytes, { level: TRACES, name: "ExportTraceServiceRequest", maxValues });
}

/** An `ExportLogsServiceRequest`, the same, a record in each step. */
export function readLogsRequest(bytes: Uint8Array, maxValues: number): Steps<Result<Json>> {
  return readRequest(bytes, { level: LOGS, name: "ExportLogsServiceRequest", maxValues });
}

function* readRequest(
  bytes: Uint8Array,
  of: { readonly level: Level; readonly name: string; readonly maxValues: number },
): Steps<Result<Json>> {
  try {
    const reader = new BinaryReader(bytes);
    return ok(yield* readLevel(reader, bytes.length, of.level, { values: of.maxValues }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it breaks off";
    return bad([{ code: "value_error", path: ["body"], message: `the body is no ${of.name}: ${reason}` }]);
  }
}

function* readLevel(reader: BinaryReader, length: number, level: Level, budget: Budget): Steps<Json> {
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError("a message is longer than the body");
  const parts: Json[] = [];
  const value: { [name: string]: Json } = { [level.name]: parts };
  while (reader.pos < end) {
    const [field, wire] = reader.tag();
    if (--budget.values < 0) throw new RangeError("it holds too many values");
    const member = level.members.get(field);
    if (field === level.field && wire === LengthDelimited) {
      yield;
      const size = reader.uint32();
      parts.push(
        "inner" in level.inner
          ? yield* readLevel(reader, size, level.inner, budget)
          : readMembers(reader, size, level.inner, budget, 1),
      );
    } else if (member !== undefined && member[2] === wire) value[member[0]] = member[1](reader, budget, 1);
    else reader.skip(wire, field);
  }
  return value;
}

/** An `ExportTraceServiceResponse` or `ExportLogsServiceResponse`, which are alike: what was rejected, when something was. */
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

/** A `google.rpc.Status`: what exporters read of a refusal. */
export function writeStatus(message: string): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  writer.uint32((2 << 3) | LengthDelimited).string(message);
  return Uint8Array.from(writer.finish());
}
