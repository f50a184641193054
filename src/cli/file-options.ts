import { type Command, InvalidArgumentError, Option } from "commander";
import { QUOTES } from "../files/format.ts";
import type { Separator } from "../shared/csv/csv.ts";
import { ENCODINGS, type Encoding, encodingCalled } from "../shared/csv/text.ts";

/** How a file of listings or venues is read, where the guess is wrong. */
export const addFileOptions = (command: Command): Command =>
  command
    .option("--columns <list>", "correct the guessed columns: name=3,lat=4,id=Store ID,address=Street+No,phone=none")
    .option(
      "--encoding <name>",
      "correct the guessed encoding: utf-8, utf-16le, windows-1251, gbk, big5, shift_jis, euc-kr, koi8-r, iso-8859-2, …",
      parseEncoding,
    )
    .option(
      "--sheet <name>",
      "of a workbook: read this sheet instead of the first with a table, or '*': all sheets with the same columns as that",
    )
    .option("--separator <character>", "correct the guessed separator: , ; | or tab", parseSeparator)
    .addOption(
      new Option("--quotes <how>", "correct how quotes inside cells are guessed to be written").choices(QUOTES),
    );

function parseEncoding(label: string): Encoding {
  const encoding = encodingCalled(label);
  if (encoding) return encoding;
  throw new InvalidArgumentError(`Use one of ${ENCODINGS.join(", ")}.`);
}

function parseSeparator(text: string): Separator {
  const separator = ([",", ";", "|", "\t"] as const).find((each) => each === text || (each === "\t" && text === "tab"));
  if (separator) return separator;
  throw new InvalidArgumentError("Use , ; | or tab.");
}
