import { parseXml } from "../base/xml.ts";
import { type NumberFormat, numberFormat } from "./number-formats.ts";

const MOST_STYLES = 70_000;
/** Of a format, by Excel's own limit. */
const LONGEST_CODE = 255;

/** Returns the number format of each style of cells; undefined for those that change nothing. */
export async function readStyles(
  bytes: AsyncIterable<Buffer> | undefined,
  is1904: boolean,
): Promise<(NumberFormat | undefined)[]> {
  if (!bytes) return [];
  const codes = new Map<number, string>();
  const styles: (NumberFormat | undefined)[] = [];
  const made = new Map<number, NumberFormat | undefined>();
  let isCells = false;
  const formatOf = (id: number) => {
    if (!made.has(id)) made.set(id, numberFormat(id, codes.get(id), is1904));
    return made.get(id);
  };
  const handlers = {
    open(name: string, attributes: Record<string, string>) {
      if (name === "numFmt" && codes.size < MOST_STYLES)
        codes.set(Number(attributes.numFmtId), (attributes.formatCode ?? "").slice(0, LONGEST_CODE));
      else if (name === "cellXfs") isCells = true;
      else if (name === "xf" && isCells && styles.length < MOST_STYLES)
        styles.push(formatOf(Number(attributes.numFmtId)));
    },
    close(name: string) {
      if (name === "cellXfs") isCells = false;
    },
  };
  for await (const _ of parseXml(bytes, handlers));
  return styles;
}
