import { type Command, InvalidArgumentError, Option } from "commander";
import type { Run } from "../with-directory.ts";
import { harmonizeFile, type Summary } from "./run.ts";

/** `samespot harmonize`. */
export function addHarmonizeCommand(program: Command, run: Run): void {
  program
    .command("harmonize")
    .description("match a file of listings to venues of the directory, and write it with what came of each")
    .argument("<file>", "CSV or another table of text, with or without a header")
    .requiredOption("-o, --output <out>", "written when all is done, in place of what is there")
    .option("--user <handle>", "ask as this user of the web app, whose the run is then (default: as the application)")
    .addOption(
      new Option("--format <format>", "the whole file, or own id and venue id of what is matched")
        .choices(["csv", "mapping-csv", "mapping-ndjson"])
        .default("csv"),
    )
    .option("--candidates", "with csv: columns for up to five candidates of each listing", false)
    .option("--columns <list>", "what columns are, where the guess is wrong: name=3,lat=4,id=Store ID,phone=none")
    .addOption(new Option("--encoding <name>").choices(["utf-8", "utf-16le", "utf-16be", "windows-1252"]))
    .addOption(new Option("--separator <character>").choices([",", ";", "tab", "|"]))
    .option("--accept-from <score>", "accept a clear match of this score without a person: 0.5 to 0.999", parseCut)
    .option("--previous <id>", "of the harmonization of the edition before: what has not changed keeps its decision")
    .option("--again", "begin anew, although a run of the same file is not finished", false)
    .addHelpText("after", HELP)
    .action(async (file, options) => {
      const isJson = program.opts().json === true;
      const shows = isJson ? "nothing" : process.stderr.isTTY ? "bar" : "lines";
      const verb = (context: Parameters<Parameters<Run>[0]>[0]) => harmonizeFile(context, { ...options, file, shows });
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

const HELP = `
Asks the directory at BASE_URL; where ROLES has one and it does not run, this command brings it along. The run is seen by
admins in the web app, or by the user: there it can be reviewed. Ctrl-C pauses it; the same command goes on with it, also
after a crash. It waits up to five minutes for a database that restarts.

Exit codes: 0 every listing was asked about, 1 some failed or the positions look wrong (OUT is written all the same), 2 it
could not be done, 130 and 143 interrupted.`;

function parseCut(text: string): number {
  const cut = Number(text);
  if (!(cut >= 0.5 && cut <= 0.999)) throw new InvalidArgumentError("It must be from 0.5 to 0.999.");
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

const count = (value: number) => value.toLocaleString("en-US");
