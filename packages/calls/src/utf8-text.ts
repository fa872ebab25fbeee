// Every runtime has it, but it is not part of the language that cores are compiled for.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const decoder = new TextDecoder();

/** A text that is given as such or as its UTF-8 bytes. */
export function utf8Text(text: string | Uint8Array): string {
  return typeof text === "string" ? text : decoder.decode(text);
}
