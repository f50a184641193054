import path from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { MAPPINGS, TABLES, type TableFormat } from "../../harmonize/export/formats.ts";
import { ENCODINGS, type Encoding, encodingCalled } from "../../shared/csv/text.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Run } from "../with-directory.ts";
import { count } from "../words.ts";
import { harmonizeFile, type Summary } from "./run.ts";

export function addHarmonizeCommand(program: Command, run: Run): void {
  program
    .command("harmonize")
    .description("match a file of listings to venues of the directory, and write it with the results")
    .argument("<file>", "CSV or other delimited text, .xlsx, GeoJSON, JSON, NDJSON or Parquet, also as gzip or zip")
    .requiredOption("-o, --output <out>", "the file to write at the end; an existing one is replaced")
    .option("--user <handle>", "run as this user of the web app, who then owns the run (default: as the application)")
    .addOption(
      new Option(
        "--format <format>",
        "the whole file as one of these (default: what <out> ends in), or only own id and venue id of matched listings",
      ).choices([...TABLES, ...MAPPINGS]),
    )
    .option("--candidates", "with the whole file: add columns for up to five candidates per listing", false)
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
    .addOption(new Option("--separator <character>").choices([",", ";", "tab", "|"]))
    .option("--accept-from <score>", "accept clear matches from this score without review: 0.5 to 0.999", parseCut)
    .option("--previous <id>", "the harmonization of the previous edition: unchanged listings keep their decisions")
    .option("--again", "start a new run even if one of the same file is unfinished", false)
    .addHelpText("after", HELP)
    .action(async (file, options) => {
      const isJson = program.opts().json === true;
      const shows = isJson ? "nothing" : process.stderr.isTTY ? "bar" : "lines";
      const verb = (context: Parameters<Parameters<Run>[0]>[0]) =>
        harmonizeFile(context, { ...options, format: options.format ?? formatOf(options.output), file, shows });
      await run(async (context) => {
        const summary = await verb(context);
        if (summary.failed > 0 || summary.positions !== undefined) process.exitCode = 1;
        return summary;
      }, summaryText).catch((error) => {
        process.exitCode ??= 2;
        throw error;
      });
    });
}

/** Endings of names that CSV may have besides its own. */
const OF_TEXT = ["", ".txt", ".tsv"];

function formatOf(output: string): TableFormat {
  const ending = path.extname(output).toLowerCase();
  const format = TABLES.find((each) => ending === `.${each}`) ?? (OF_TEXT.includes(ending) ? "csv" : undefined);
  if (format) return format;
  const advice = `Let it end in .${TABLES.join(", .")}, or choose the format with --format.`;
  throw new KnownError(400, "param_error", `Samespot cannot tell the format of ${output}. ${advice}`);
}

function parseEncoding(label: string): Encoding {
  const encoding = encodingCalled(label);
  if (encoding) return encoding;
  throw new InvalidArgumentError(`Use one of ${ENCODINGS.join(", ")}.`);
}

const HELP = `
Uses the directory at BASE_URL. If it is not running and ROLES includes it, this command starts one. The user, or without
--user the admins, can review the run in the web app. Ctrl-C pauses the run; the same command resumes it, also after a
crash. The command waits up to five minutes for a database that restarts.

Exit codes: 0 every listing was matched against the directory; 1 some listings failed, or the positions look wrong (the
output file is written anyway); 2 failed; 130 and 143 interrupted.`;

function parseCut(text: string): number {
  const cut = Number(text);
  if (!(cut >= 0.5 && cut <= 0.999)) throw new InvalidArgumentError("The score must be from 0.5 to 0.999.");
  return cut;
}

function summaryText({ output, listings, matched, review, none, failed, seconds, page }: Summary): string {
  const speed = Math.round(listings / Math.max(seconds, 0.1));
  return [
    `${count(listings)} listings: ${count(matched)} matched, ${count(review)} to review, ${count(none)} without a match, ` +
      `${count(failed)} failed (${seconds} s, ${count(speed)} a second)`,
    `written to ${output}; in the web app: ${page}`,
  ].join("\n");
}
