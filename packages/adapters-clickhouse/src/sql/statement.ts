// Writing statements: the only way for a value into one is `bind`. Names of tables and aliases are this package's own.

import type { Statement } from "../clickhouse.ts";

/** A piece of SQL. */
export type Sql = string;

/** Collects the parameters of one statement. */
export class Parameters {
  private readonly values: { [name: string]: unknown } = {};
  private count = 0;

  /** The placeholder for `value`, of a ClickHouse type. */
  bind(type: string, value: unknown): Sql {
    const name = `p${this.count++}`;
    this.values[name] = value;
    return `{${name}:${type}}`;
  }

  /** A text. */
  text(value: string): Sql {
    return this.bind("String", value);
  }

  /** A list of texts. */
  texts(values: readonly string[]): Sql {
    return this.bind("Array(String)", [...values]);
  }

  /** A number, bit for bit: parsing one from text may lose its last digit. */
  number(value: number): Sql {
    return `reinterpretAsFloat64(${this.bind("UInt64", bitsOf(value).toString())})`;
  }

  /** A list of numbers, bit for bit. */
  numbers(values: readonly number[]): Sql {
    return `arrayMap(b -> reinterpretAsFloat64(b), ${this.bind("Array(UInt64)", values.map(bitsOf))})`;
  }

  /** A name for a piece of SQL, used nowhere else in the statement. */
  name(): Sql {
    return `v${this.count++}`;
  }

  /** The statement of `sql`. */
  statement(sql: Sql): Statement {
    return { sql, params: { ...this.values } };
  }
}

function bitsOf(value: number): bigint {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value);
  return bytes.getBigUint64(0);
}
