import type { Command } from "commander";
import { type RunProgress, searchDuplicates } from "../directory/duplicates/run.ts";
import type { Context, Run } from "./with-directory.ts";
import { count } from "./words.ts";

export function addVenueCommands(program: Command, run: Run): void {
  program
    .command("venues")
    .description("venues of the directory")
    .command("duplicates")
    .description("search the directory for venues that are one place, for operators to review on its pages")
    .addHelpText(
      "after",
      `
Finds them by the score of the match, and changes no venue. The first run compares all venues, later ones those that are new or changed.
An interrupted run goes on where it stopped when it is repeated. Operators decide at /operator/duplicates.`,
    )
    .action(async () => {
      const show = process.stderr.isTTY && program.opts().json !== true;
      const onProgress = (progress: RunProgress) => show && process.stderr.write(`\r\x1b[K${progressText(progress)}`);
      const search = ({ database: { pool }, signal }: Context) =>
        searchDuplicates({ pool, signal, onProgress }).finally(() => show && process.stderr.write("\r\x1b[K"));
      await run(search, resultText);
    });
}

const progressText = ({ passed, venues, compared }: RunProgress): string =>
  `${count(passed)} of ${count(venues)} venues, ${count(compared)} compared`;

const resultText = ({ passed, compared, groups, seconds }: Awaited<ReturnType<typeof searchDuplicates>>): string =>
  `${count(groups)} groups of duplicates to review. ${count(compared)} of ${count(passed)} venues were new or changed (${seconds} s).`;
