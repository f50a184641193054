#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { asText } from "./cli/output.ts";
import type { Run } from "./cli/with-directory.ts";
import { KnownError, notFound } from "./shared/errors.ts";
import { ownVersion } from "./shared/version.ts";
import { runCommand } from "./start/run-command.ts";

const HELP = `
Settings come from the environment (.env.example). Every command except start works on the database, whether or not a server runs,
and migrates it to this version first, except backup and doctor.

With --json a command prints one JSON object, otherwise readable lines. An error is one message on standard error, with
--json as {"error": "..."}. Exit codes: 0 done; 1 not done (import, harmonize: done in part); 2 wrong
command line (harmonize: or not done); 130 and 143 interrupted.`;

// `samespot … | head` closes the pipe early: no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const program = new Command("samespot")
  .description("Samespot: a web app that matches listings to venues, and a venue directory.")
  .option("--version", "print the version")
  .on("option:version", () => {
    const version = ownVersion();
    print({ version }, version);
    throw new CommanderError(0, "commander.version", version);
  })
  .option("--json", "print one JSON object instead of text")
  .addHelpText("after", HELP)
  .configureHelp({ showGlobalOptions: true })
  .configureOutput({ outputError: () => {} }) // complain() says it
  .exitOverride();

const runner =
  (opening: "withDirectory" | "withVault" | "withDatabase"): Run =>
  async (verb, text, env = process.env) => {
    const openings = await import("./cli/with-directory.ts");
    await show(openings[opening](env, verb), text);
  };
const run = runner("withDirectory");
const runSealing = runner("withVault");
const runAnyway = runner("withDatabase");

/** In the order of --help. A call reads only the files of its own command: reading all of them takes most of a second. */
const COMMANDS: Record<string, () => Promise<void>> = {
  async start() {
    program
      .command("start")
      .description("run the parts that ROLES names, as npm start does")
      .action(async () => {
        const { serve } = await import("./main.ts");
        await serve(process.env, isJson() ? (ready) => console.log(JSON.stringify(ready)) : undefined);
      });
  },
  migrate: async () => (await import("./cli/migrate.ts")).addMigrateCommand(program, run),
  user: async () => (await import("./cli/users.ts")).addUserCommands(program, run),
  keys: async () => (await import("./cli/keys.ts")).addKeyCommands(program, { runSealing, runAnyway }),
  application: async () =>
    (await import("./cli/application/commands.ts")).addApplicationCommands(program, { run, runSealing }),
  token: async () => (await import("./cli/tokens.ts")).addTokenCommand(program, runSealing),
  provider: async () => (await import("./cli/tokens.ts")).addProviderCommand(program, run),
  import: async () => (await import("./cli/import/command.ts")).addImportCommand(program, run),
  venues: async () => (await import("./cli/venues.ts")).addVenueCommands(program, run),
  harmonize: async () =>
    (await import("./cli/harmonize/command.ts")).addHarmonizeCommand(program, runSealing, surroundings),
  backup: async () => (await import("./cli/backup/backup.ts")).addBackupCommand(program, surroundings),
  restore: async () => (await import("./cli/backup/restore.ts")).addRestoreCommand(program, surroundings),
  doctor: async () => (await import("./cli/doctor.ts")).addDoctorCommand(program, surroundings),
  database: async () => (await import("./cli/database.ts")).addDatabaseCommand(program, surroundings),
};
const surroundings = { env: process.env, print };

await runCommand(parse, complain);

async function parse(): Promise<void> {
  try {
    const name = process.argv.slice(2).find((argument) => !argument.startsWith("-")) ?? "";
    for (const add of Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]] : Object.values(COMMANDS)) await add?.();
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const isHelp = /^commander\.(help|version)/.test(error.code);
    process.exitCode = error.exitCode && 2;
    if (!isHelp) complain(`${error.message.replace(/^error: /, "").replace(/\.?$/, ".")} See samespot --help.`);
  }
}

async function show<Result extends object>(running: Promise<Result>, text: (result: Result) => string = asText) {
  const result = await running.catch(async (error) => {
    const { UNKNOWN_CLIENT } = await import("./directory/applications/applications.ts");
    const isUnknown = error instanceof KnownError && error.message === UNKNOWN_CLIENT;
    throw isUnknown ? notFound(`${UNKNOWN_CLIENT} List them with: samespot application list`) : error;
  });
  print(result, text(result));
}

function print(result: object, text: string, say = console.log): void {
  say(isJson() ? JSON.stringify(result) : text);
}

function isJson(): boolean {
  return program.opts().json === true;
}

function complain(message: string): void {
  console.error(isJson() ? JSON.stringify({ error: message }) : message);
}
