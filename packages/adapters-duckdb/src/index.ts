export type { CallText } from "./call-text.ts";
export type { CallWriter, JoinCalls } from "./call-writer.ts";
export type { Cell, Column, Database, Parameter, Reader, Transaction } from "./database.ts";
export type { EvaluationEntry } from "./evaluations.ts";
export { type ImportOptions, type ImportReport, importCalls, importRows, type Lines } from "./import.ts";
export { readLines } from "./lines.ts";
export { type LockHolder, lockHolder } from "./lock.ts";
export type { RowWriter } from "./rows.ts";
export { openStore, type Store, type StoreOptions } from "./store.ts";
