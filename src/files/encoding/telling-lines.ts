import { isAscii } from "node:buffer";

/** Bytes kept of all lines, and of one line. */
const [MOST, LONGEST] = [32 * 1024, 4096];

/** ISO-2022-JP is ASCII with escape sequences. */
const ESCAPE = 0x1b;
const [LF, CR] = [10, 13];

/** Keeps the first lines of a file that reveal its encoding: those not in plain ASCII, however far in they are. */
export function tellingLines() {
  const found: Buffer[] = [];
  let size = 0;
  let rest: Buffer = Buffer.alloc(0);
  /** Whether the rest of a line is skipped, because it is too long. Its beginning is kept. */
  let isPassedOver = false;

  function keep(line: Buffer): void {
    if (isPlain(line)) return;
    const kept = line.length > LONGEST ? line.subarray(0, lastCharacterEnd(line)) : line;
    found.push(kept, Buffer.from("\n"));
    size += kept.length;
  }

  return {
    see(bytes: Buffer): void {
      if (size >= MOST) return;
      const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
      let start = isPlain(all) ? lastLineOf(all) : 0;
      if (start > 0) isPassedOver = false;
      for (let at = start; at < all.length; at += 1) {
        if (all[at] !== LF && all[at] !== CR) continue;
        if (!isPassedOver) keep(all.subarray(start, at));
        isPassedOver = false;
        start = at + 1;
      }
      const open = isPassedOver ? all.subarray(0, 0) : all.subarray(start);
      if (open.length > LONGEST) {
        keep(open);
        isPassedOver = true;
      }
      rest = isPassedOver ? all.subarray(0, 0) : Buffer.from(open);
    },
    lines(): Buffer {
      keep(rest);
      return Buffer.concat(found).subarray(0, MOST + LONGEST);
    },
  };
}

const isPlain = (bytes: Buffer): boolean => isAscii(bytes) && !bytes.includes(ESCAPE);

const lastLineOf = (bytes: Buffer): number => Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1;

/** Finds where to cut a long line: spaces, commas, semicolons and tabs are never part of a multi-byte character. */
function lastCharacterEnd(line: Buffer): number {
  for (let at = LONGEST; at > 0; at -= 1) if ([0x20, 0x2c, 0x3b, 0x09].includes(line[at] ?? 0)) return at;
  return LONGEST;
}
