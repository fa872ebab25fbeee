// Every runtime has it, but it is not part of the language libraries that cores are compiled with.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const decoder = new TextDecoder();

/** The text, which may be given as its UTF-8 bytes. */
export function utf8Text(text: string | Uint8Array): string {
  return typeof text === "string" ? text : decoder.decode(text);
}
