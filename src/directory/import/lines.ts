import type { Readable } from "node:stream";
import { badRequest } from "./bad-request.ts";

export interface Line {
  /** Counts from 1. */
  number: number;
  /** Without its end, LF or CRLF. */
  text: string;
  /** False for a last line that nothing ends: perhaps the file was cut there. */
  isEnded: boolean;
}

/** Characters. */
const LONGEST_LINE = 1024 * 1024;

/**
 * The lines of a UTF-8 text, with or without byte order mark.
 *
 * @throws KnownError for a line so long that the file must be something else: it would fill the memory
 */
export async function* readLines(text: Readable): AsyncGenerator<Line> {
  let number = 0;
  let rest = "";
  for await (const chunk of text.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      number += 1;
      yield { number, text: plain(line, number), isEnded: true };
    }
    if (rest.length > LONGEST_LINE) throw badRequest(`Line ${number + 1} is longer than a million characters.`);
  }
  if (rest !== "") yield { number: number + 1, text: plain(rest, number + 1), isEnded: false };
}

function plain(line: string, number: number): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  return number === 1 ? text.replace(/^\uFEFF/, "") : text;
}
