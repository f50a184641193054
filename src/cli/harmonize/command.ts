import { readFileSync } from "node:fs";
import path from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CHANGES_FORMATS } from "../../harmonize/export/changes.ts";
import { MAPPINGS, TABLES, type TableFormat } from "../../harmonize/export/formats.ts";
import { parseRepairs } from "../../harmonize/run/row-repairs.ts";
import { badRequest } from "../../shared/errors.ts";
import { addFileOptions } from "../file-options.ts";
import { parseBox, parseCountries } from "../import/release.ts";
import type { Surroundings } from "../output.ts";
import { type Context, interruption, type Run } from "../with-directory.ts";
import { count } from "../words.ts";
import { type Against, settingsAgainst } from "./against.ts";
import { EDITION_LISTS, type EditionList, refuseWithoutEdition } from "./begin.ts";
import type { HarmonizeOptions, Summary } from "./options.ts";
import { harmonizeFile } from "./run.ts";
import { harmonizeAt } from "./server.ts";

export function addHarmonizeCommand(program: Command, run: Run, { env, print }: Surroundings): void {
  addServerOptions(addAgainstOptions(addResultOptions(addFileOptions(program.command("harmonize")))))
    .description("match a file of places to venues of the directory, and write it with the results")
    .argument(
      "<file>",
      "CSV or other delimited text, .xlsx, GeoJSON, JSON, NDJSON, Parquet, KML or GPX, also as gzip or zip",
    )
    .requiredOption("-o, --output <out>", "the file to write at the end; an existing one is replaced")
    .option("--user <handle>", "run as this user of the web app, who then owns the run (default: as the application)")
    .addHelpText("after", HELP)
    .action(async (file, given) => {
      const { previous } = given; // commander would make an empty text of null
      const options = { ...given, ...(previous !== undefined && { previous: previous === "none" ? null : previous }) };
      const shows = program.opts().json === true ? "nothing" : process.stderr.isTTY ? "bar" : "lines";
      const wanted = (against: Against | undefined) => ({
        ...options,
        format: options.format ?? formatOf(options.output),
        lists: listsIn(options),
        repairs: repairsIn(options.repairs),
        venueChanges: changesIn(options.venueChanges),
        against,
        file,
        shows,
      });
      const verb = (against: Against | undefined) => async (context: Context) => {
        const summary = await harmonizeFile(context, wanted(against));
        if (summary.failed > 0 || summary.positions !== undefined) process.exitCode = 1;
        return summary;
      };
      const begin = async () => {
        if (options.server !== undefined) {
          const summary = await harmonizeAt(options.server, env.SAMESPOT_TOKEN, wanted(undefined), interruption());
          process.exitCode = codeOf(summary);
          return print(summary, summaryText(summary));
        }
        if (options.waitForReview) throw badRequest("--wait-for-review needs --server.");
        const against = againstIn(options);
        await run(verb(against), summaryText, against && (await settingsAgainst(env, against)));
      };
      await begin().catch((error) => {
        process.exitCode ??= 2;
        throw error;
      });
    });
}

const addResultOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--format <format>",
        "the whole file as one of these (default: what <out> ends in), or only own id and venue id of matched listings",
      ).choices([...TABLES, ...MAPPINGS]),
    )
    .option("--candidates", "with the whole file: add columns for up to five candidates per row", false)
    .option("--repairs <file>", "repair rows as they are read: the JSON that the page of a file’s repairs downloads")
    .option("--accept-from <score>", "accept clear matches from this score without review: 0.5 to 0.999", parseCut)
    .option(
      "--town <name>",
      "where all rows are that name no place, or none that the directory knows; a finished run asks about those again",
    )
    .option(
      "--previous <id>",
      "the harmonization of the previous edition: unchanged rows keep their decisions; none: it is a new list",
    )
    .option("--new <file>", "of an edition (--previous, or answered so): also write the rows that are new in it")
    .option("--changed <file>", "of an edition: also write the rows that have changed")
    .option("--removed <file>", "of an edition: also write the rows of the previous one that are gone")
    .option(
      "--venue-changes <file>",
      "look the matched venues up again, and write the rows whose venue was merged, closed, moved …, as .csv or .json",
    )
    .option("--again", "start a new run even if one of the same file is unfinished", false);

const addAgainstOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--against <places>",
        "match with the places of this file, or of a release, instead of a directory; needs no server, account or setting",
      ).conflicts(["user", "previous", "new", "changed", "removed", "venueChanges"]),
    )
    .option("--against-columns <list>", "with --against: correct the guessed columns of the places, as --columns does")
    .addOption(
      new Option("--bbox <west,south,east,north>", "with --against, of a release: only places within").argParser(
        parseBox,
      ),
    )
    .addOption(
      new Option("--country <codes>", "with --against, of a release: only places there").argParser(parseCountries),
    );

const addServerOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--server <url>",
        "match on this server, with the token in SAMESPOT_TOKEN, instead of on the database of the settings",
      ).conflicts(["user", "against"]),
    )
    .option("--wait-for-review", "with --server: wait until nothing is left to review, then write the file", false);

/** With --server: what most needs a person. */
const codeOf = ({ positions, failed, review }: Summary): number =>
  positions !== undefined ? 3 : failed > 0 ? 1 : review > 0 ? 4 : 0;

interface AgainstOptions extends Pick<Against, "bbox" | "country"> {
  against?: string;
  againstColumns?: string;
}

/** Throws KnownError 400 for what only its places could have. */
function againstIn({ against: places, againstColumns: columns, bbox, country }: AgainstOptions): Against | undefined {
  if (places !== undefined) return { places, columns, bbox, country };
  const others = { "--against-columns": columns, "--bbox": bbox, "--country": country };
  const [alone] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (alone) throw badRequest(`${alone} needs --against: the file of places.`);
  return undefined;
}

/** Throws KnownError 400 for a list of what is no edition. */
function listsIn(
  options: Partial<Record<EditionList, string>> & { previous?: string | null },
): HarmonizeOptions["lists"] {
  const given = EDITION_LISTS.flatMap((list) => {
    const output = options[list];
    return output === undefined ? [] : [[list, { output, format: formatOf(output) }] as const];
  });
  const lists = Object.fromEntries(given);
  if (options.previous === null) refuseWithoutEdition(lists);
  return lists;
}

/** Throws KnownError 400 for what is no list of repairs. */
function repairsIn(file: string | undefined): HarmonizeOptions["repairs"] {
  if (file === undefined) return undefined;
  try {
    return parseRepairs(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw badRequest(`--repairs: ${file}: ${(error as Error).message}`);
  }
}

/** Throws KnownError 400 for a file that would be neither CSV nor JSON. */
function changesIn(output: string | undefined): HarmonizeOptions["venueChanges"] {
  if (output === undefined) return undefined;
  const given = formatOf(output);
  const format = CHANGES_FORMATS.find((each) => each === given);
  if (format) return { output, format };
  throw badRequest("--venue-changes needs a file that ends in .csv or .json.");
}

/** Endings of names that CSV may have besides its own. */
const OF_TEXT = ["", ".txt", ".tsv"];

function formatOf(output: string): TableFormat {
  const ending = path.extname(output).toLowerCase();
  const format = TABLES.find((each) => ending === `.${each}`) ?? (OF_TEXT.includes(ending) ? "csv" : undefined);
  if (format) return format;
  const advice = `Let it end in .${TABLES.join(", .")}, or choose the format with --format.`;
  throw badRequest(`Samespot cannot tell the format of ${output}. ${advice}`);
}

const HELP = `
Uses the directory at BASE_URL. If it is not running and ROLES includes it, this command starts one. The user, or without
--user the admins, can review the run in the web app. Ctrl-C pauses the run; the same command resumes it, also after a
crash. The command waits up to five minutes for a database that restarts.

With --against the places of a file are the directory: samespot harmonize stores.csv --against places.parquet -o matched.csv.
venue_id is then the id that the file has of the place, or the line if it has none. The places stay in the folder for caches
(XDG_CACHE_HOME, or else ~/.cache) for the next run with them, until no run has used them for 30 days; the listings do not.

With --server the file is matched there, by a token that people make in their settings: it reads no setting but SAMESPOT_TOKEN. The same
command goes on with the same file, and does not upload it twice; Ctrl-C leaves it to the server, which goes on. With --server the exit code
is 3 if the positions look wrong, 1 if listings failed, 4 if some wait for a review, 0 otherwise; 2 if it was not done.

Exit codes: 0 every listing was matched against the directory; 1 some listings failed, or the positions look wrong (the
output file is written anyway); 2 failed; 130 and 143 interrupted.`;

function parseCut(text: string): number {
  const cut = Number(text);
  if (!(cut >= 0.5 && cut <= 0.999)) throw new InvalidArgumentError("The score must be from 0.5 to 0.999.");
  return cut;
}

function summaryText(summary: Summary): string {
  const { output, listings, matched, review, none, failed, edition, venue_changes: changes, seconds, page } = summary;
  const speed = Math.round(listings / Math.max(seconds, 0.1));
  return [
    `${count(listings)} rows: ${count(matched)} matched, ${count(review)} to review, ${count(none)} without a match, ` +
      `${count(failed)} failed (${seconds} s, ${count(speed)} a second)`,
    ...(edition ? [`since the previous edition: ${countsText(edition)}`] : []),
    ...(changes ? [`venues since they were matched: ${countsText(changes)}`] : []),
    `written to ${output}${page === undefined ? "" : `; in the web app: ${page}`}`,
  ].join("\n");
}

const countsText = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([what, number]) => `${count(number)} ${what}`)
    .join(", ") || "none";
