import { SaxesParser, type SaxesTagPlain } from "saxes";
import { unusableFile } from "./refusal.ts";

interface XmlHandlers {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

const AT_ONCE = 16 * 1024;
/** Characters between two tags. Excel allows 32,767 in a cell. */
const LONGEST_TEXT = 1024 * 1024;

/**
 * Calls the handlers with names without their prefix, and yields after each stretch. Entities of a document type are not
 * expanded. Throws `broken()` for broken XML: KnownError 400.
 */
export async function* parseXml(
  bytes: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
  broken = brokenWorkbook,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false });
  let since = 0;
  const tag = () => {
    since = 0;
  };
  parser.on("error", () => {
    throw broken();
  });
  parser.on("doctype", () => {
    throw broken();
  });
  parser.on("opentag", ({ name, attributes }: SaxesTagPlain) => {
    tag();
    handlers.open?.(localName(name), attributes);
  });
  parser.on("closetag", ({ name }) => {
    tag();
    handlers.close?.(localName(name));
  });
  parser.on("text", (text) => handlers.text?.(text));
  parser.on("cdata", (text) => handlers.text?.(text));
  const decoder = new TextDecoder();
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += AT_ONCE) {
      const text = decoder.decode(piece.subarray(at, at + AT_ONCE), { stream: true });
      since += text.length;
      if (since > LONGEST_TEXT) throw broken();
      parser.write(text);
      yield;
    }
  parser.close();
  yield;
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

const brokenWorkbook = () =>
  unusableFile(
    "This workbook is damaged: a part of it cannot be read. Open it in a spreadsheet, save it again as .xlsx, then upload that.",
  );
