/** The encodings that can be read, by their names in the Encoding standard; the most usual ones first. */
export const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "iso-8859-15",
  "macintosh",
  "windows-1250",
  "iso-8859-2",
  "iso-8859-16",
  "windows-1251",
  "koi8-r",
  "koi8-u",
  "iso-8859-5",
  "ibm866",
  "x-mac-cyrillic",
  "gb18030",
  "big5",
  "shift_jis",
  "euc-jp",
  "iso-2022-jp",
  "euc-kr",
  "windows-1253",
  "iso-8859-7",
  "windows-1254",
  "windows-1255",
  "iso-8859-8",
  "windows-1256",
  "iso-8859-6",
  "windows-1257",
  "iso-8859-4",
  "iso-8859-13",
  "iso-8859-3",
  "iso-8859-10",
  "iso-8859-14",
  "windows-874",
  "windows-1258",
] as const;
export type Encoding = (typeof ENCODINGS)[number] & string;

/** The encoding of a name as programs write it ("GBK", "latin1", "cp1251"); undefined for what cannot be read. */
export function encodingCalled(label: string): Encoding | undefined {
  try {
    const { encoding } = new TextDecoder(label.replace(/^cp(?=125|874)/i, "windows-"));
    return ENCODINGS.find((each) => each === (encoding === "gbk" ? "gb18030" : encoding));
  } catch {
    return undefined;
  }
}

/** Bytes per step. If all are line ends, each is a line. */
const AT_ONCE = 16 * 1024;

/** Decodes a file without its byte order mark. Invalid bytes become U+FFFD. */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += AT_ONCE)
      yield decoder.decode(piece.subarray(at, at + AT_ONCE), { stream: true });
  yield decoder.decode();
}
