export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** Bytes decoded at once: of nothing but line ends, each is a line. */
const AT_ONCE = 16 * 1024;

/**
 * The text of a file that comes in pieces of bytes, without its byte order mark. What is none in this encoding becomes
 * U+FFFD.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += AT_ONCE)
      yield decoder.decode(piece.subarray(at, at + AT_ONCE), { stream: true });
  yield decoder.decode();
}
