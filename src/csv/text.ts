export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/**
 * The text of a file that comes in pieces of bytes, without its byte order mark. What is none in this encoding becomes
 * U+FFFD.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of bytes) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
