export interface Line {
  number: number;
  /** Without LF, CRLF or CR. Only the beginning if the line is too long. */
  text: string;
  /** False for a last line without an end: the file may be cut off. */
  isEnded: boolean;
  /** Longer than LONGEST_LINE; the rest was skipped. */
  isTooLong?: true;
}

/** In characters. */
export const LONGEST_LINE = 1024 * 1024;
const KEPT = 1000;

/** Yields the lines of each piece together, because a million single ones would take long. */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<Line[]> {
  let number = 0;
  let rest = "";
  let cut: string | undefined;
  /** Whether `rest` ends in CR. Checking a growing string would copy it each time (attacks F28). */
  let endsInCr = false;
  for await (const piece of pieces) {
    if (piece === "") continue;
    const { lines, open } = split(rest, piece, endsInCr);
    rest = open;
    endsInCr = piece.endsWith("\r");
    if (lines.length > 0)
      yield lines.map((text) => {
        const made = cut === undefined ? line(++number, text) : tooLong(++number, cut);
        cut = undefined;
        return made;
      });
    if (cut === undefined && rest.length > LONGEST_LINE) cut = rest.slice(0, KEPT);
    if (cut !== undefined) rest = endsInCr ? "\r" : "";
  }
  if (cut !== undefined) yield [{ ...tooLong(number + 1, cut), isEnded: endsInCr }];
  else if (endsInCr) yield [line(number + 1, rest.slice(0, -1))];
  else if (rest !== "") yield [{ ...line(number + 1, rest), isEnded: false }];
}

const line = (number: number, text: string): Line =>
  text.length > LONGEST_LINE ? tooLong(number, text.slice(0, KEPT)) : { number, text, isEnded: true };

const tooLong = (number: number, text: string): Line => ({ number, text, isEnded: true, isTooLong: true });

/** `open` is the beginning of the next piece, perhaps a CR before its LF. */
function split(rest: string, piece: string, endsInCr: boolean): { lines: string[]; open: string } {
  const text = rest + piece;
  if (!endsInCr && !/[\r\n]/.test(piece)) return { lines: [], open: text }; // so that a long line is not searched again and again
  const end = piece.endsWith("\r") ? text.length - 1 : text.length;
  const lines = text.includes("\r") ? text.slice(0, end).split(/\r\n|\n|\r/) : text.split("\n");
  const open = (lines.pop() ?? "") + text.slice(end);
  return { lines, open };
}
