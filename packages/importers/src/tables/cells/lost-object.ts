// Cells in which a program wrote that there was an object, instead of what was in it.

const LOST = /^(?:\[object \w+\],?\s*)+$|^<[\w.]+(?: \w+)* object at 0x[\da-f]+>$/i;

/** Whether a cell has only the name of an object, as JavaScript and Python print it: `[object Object]`. */
export function isLostObject(cell: string): boolean {
  return LOST.test(cell);
}

/** A sentence on the columns with such cells, by their number; undefined without any. `way`: how to keep the objects. */
export function lostNote(columns: ReadonlyMap<string, number>, way: string): string | undefined {
  if (columns.size === 0) return undefined;
  const found = Array.from(columns, ([name, count]) => `${name} (${count})`).join(", ");
  return `cells say only that there was an object, such as [object Object]: ${found}; ${way}`;
}
