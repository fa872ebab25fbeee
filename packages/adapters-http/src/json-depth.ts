// How deep JSON text nests, found before it is parsed: what is too deep would exhaust the stack of who walks it.

/** Whether lists and objects in JSON text nest deeper than `depth`. Reads bytes; builds nothing. */
export function nestsDeeper(json: Uint8Array, depth: number): boolean {
  const [quote, backslash] = [0x22, 0x5c];
  let level = 0;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]!;
    if (byte === quote) {
      for (i++; i < json.length && json[i] !== quote; i++) if (json[i] === backslash) i++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++level > depth) return true;
    } else if (byte === 0x7d || byte === 0x5d) level--;
  }
  return false;
}
