export type { CallText } from "./call-text.ts";
export type { CallWriter, JoinCalls } from "./call-writer.ts";
export type { Cell, ColumnType, Database, Parameter, Reader, Transaction } from "./database.ts";
export type { EvaluationEntry } from "./evaluations.ts";
export { type LockHolder, lockHolder } from "./lock.ts";
export type { RowWriter } from "./rows.ts";
export { openStore, type Store, type StoreOptions } from "./store.ts";
