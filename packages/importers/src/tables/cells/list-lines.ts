// Turns a JSON list into JSON lines, byte by byte, so that one reader suffices for both.

import { FastPathError } from "./cell-rows.ts";

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x5c] as const;
const [COMMA, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x2c, 0x7b, 0x7d, 0x5b, 0x5d] as const;

/** The elements of a list as lines, in pieces that are each valid until the next. Throws `FastPathError`. */
export async function* listLines(list: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // How many lists and objects are open, the elements of the list so far, and whether there is one since the last comma.
  let [depth, count, isFilled] = [0, 0, false];
  let [isText, isEscaped] = [false, false];
  let room: Uint8Array = new Uint8Array(0);
  for await (const piece of list) {
    const { length } = piece;
    if (room.length < length) room = new Uint8Array(length);
    room.set(piece);
    const bytes = room.subarray(0, length);
    for (let i = 0; i < length; i++) {
      if (isText) {
        if (isEscaped) i++;
        for (; i < length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
        isEscaped = i > length;
        isText = i >= length;
        continue;
      }
      const byte = bytes[i]!;
      switch (byte) {
        case NEWLINE:
          bytes[i] = SPACE;
          break;
        case SPACE:
        case TAB:
        case RETURN:
          break;
        case OPEN_LIST:
        case OPEN:
          // Nothing is before the list, or behind it.
          if (depth === 0 && (byte === OPEN || count > 0)) throw new FastPathError();
          if (depth === 0) [bytes[i], count] = [SPACE, 1];
          else isFilled = true;
          depth++;
          break;
        case CLOSE_LIST:
        case CLOSE:
          depth--;
          if (depth > 0) break;
          if (depth < 0 || byte === CLOSE || (!isFilled && count > 1)) throw new FastPathError();
          bytes[i] = NEWLINE;
          break;
        default:
          if (depth === 0) throw new FastPathError();
          if (depth > 1) isText = byte === QUOTE;
          else if (byte !== COMMA || !isFilled) throw new FastPathError();
          else {
            [bytes[i], isFilled] = [NEWLINE, false];
            count++;
          }
      }
    }
    yield bytes;
  }
  if (depth > 0) throw new FastPathError();
}
