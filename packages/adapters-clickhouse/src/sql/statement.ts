// Builds statements: values enter a statement only through `bind`. Names of tables and aliases come from this package.

import type { Statement } from "../connection/clickhouse.ts";

/** A piece of SQL. */
export type Sql = string;

// The most characters of one parameter: a server accepts 128 KiB by default (`http_max_field_value_size`), and a
// character takes three bytes at most, plain or escaped.
const LONGEST = 40_000;

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
    if (value.length <= LONGEST) return this.bind("String", value);
    const parts: string[] = [];
    for (let at = 0; at < value.length; ) {
      const end = at + LONGEST;
      // Surrogate pairs stay together.
      const next = /[\ud800-\udbff]/.test(value.charAt(end - 1)) ? end - 1 : end;
      parts.push(value.slice(at, next));
      at = next;
    }
    return `concat(${parts.map((part) => this.bind("String", part)).join(", ")})`;
  }

  /** A list of texts. */
  texts(values: readonly string[]): Sql {
    if (values.some(({ length }) => length > LONGEST))
      return `[${values.map((value) => this.text(value)).join(", ")}]`;
    return this.list("Array(String)", values);
  }

  /** A number, bit for bit: parsing its text may lose the last digit. */
  number(value: number): Sql {
    return `reinterpretAsFloat64(${this.bind("UInt64", bitsOf(value).toString())})`;
  }

  /** A list of numbers, bit for bit. */
  numbers(values: readonly number[]): Sql {
    return `arrayMap(b -> reinterpretAsFloat64(b), ${this.list("Array(UInt64)", values.map(bitsOf))})`;
  }

  private list(type: string, values: readonly (string | bigint)[]): Sql {
    const parts: (string | bigint)[][] = [[]];
    let size = 0;
    for (const value of values) {
      // With its quotes and comma.
      const more = String(value).length + 3;
      if (size + more > LONGEST && size > 0) {
        parts.push([]);
        size = 0;
      }
      parts.at(-1)!.push(value);
      size += more;
    }
    const bound = parts.map((part) => this.bind(type, part));
    return bound.length === 1 ? bound[0]! : `arrayConcat(${bound.join(", ")})`;
  }

  /** A name for a piece of SQL, unique in the statement. */
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
