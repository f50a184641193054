#!/usr/bin/env node
import { Command, CommanderError, Option } from "commander";
import pkg from "../package.json" with { type: "json" };
import { addAccessCommands } from "./cli/access-commands.ts";
import { addApplicationCommands } from "./cli/application-commands.ts";
import { addBackupCommand } from "./cli/backup.ts";
import { addDatabaseCommand } from "./cli/database.ts";
import { addDoctorCommand } from "./cli/doctor.ts";
import { addHarmonizeCommand } from "./cli/harmonize/command.ts";
import { addImportCommand } from "./cli/import-file.ts";
import { addKeyCommands } from "./cli/keys-commands.ts";
import { asText } from "./cli/output.ts";
import { whenGone } from "./cli/patience.ts";
import { addLimitCommand, parseLimit } from "./cli/rate-limit.ts";
import { addRestoreCommand } from "./cli/restore.ts";
import { rotate } from "./cli/rotate-secret.ts";
import { addUserCommands } from "./cli/user-commands.ts";
import { type Context, withDatabase, withDirectory, withVault } from "./cli/with-directory.ts";
import { finishMigrations } from "./db/background.ts";
import { addApplication, findApplication, UNKNOWN_CLIENT } from "./directory/applications.ts";
import type { DirectoryDeps } from "./directory/deps.ts";
import { reserveProvider } from "./directory/providers.ts";
import { consent, tokenOf } from "./directory/tokens.ts";
import { findUser } from "./directory/users.ts";
import { renormalizeVenues } from "./directory/venues/renormalize.ts";
import { serve } from "./main.ts";
import { KnownError, notFound } from "./shared/errors.ts";
import { runCommand } from "./start/run-command.ts";

const HELP = `
Settings come from the environment (.env.example). Every command except start works on the database, whether or not a server runs,
and migrates it to this version first, except backup and doctor.

With --json a command prints one JSON object, otherwise readable lines. An error is one message on standard error, with
--json as {"error": "..."}. Exit codes: 0 done, 1 not done, 2 wrong command line, 130 and 143 interrupted.`;

// `samespot … | head` closes the pipe early: no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const program = new Command("samespot")
  .description("Samespot: a web app that matches listings to venues, and a venue directory.")
  .version(pkg.version, "--version", "print the version")
  .option("--json", "print one JSON object instead of text")
  .addHelpText("after", HELP)
  .configureHelp({ showGlobalOptions: true })
  .configureOutput({ outputError: () => {} }) // complain() says it
  .exitOverride();

program
  .command("start")
  .description("run the parts that ROLES names, as npm start does")
  .action(() => serve(process.env, isJson() ? (ready) => console.log(JSON.stringify(ready)) : undefined));

program
  .command("migrate")
  .description("migrate the database to this version, and wait until its indexes are built")
  .action(() =>
    run(async ({ applied, database, urls, signal }) => {
      const indexes = await finishMigrations(urls.owner, { log: console.error, signal });
      const venues_renormalized = await renormalizeVenues(database.pool, { waits: true }).catch(
        whenGone("Finished work is kept. Run the command again to continue."),
      );
      return { applied: [...applied, ...indexes], venues_renormalized };
    }),
  );

addUserCommands(program, run);
addKeyCommands(program, { runSealing, runAnyway: (verb, text) => run(verb, text, withDatabase) });

const application = program.command("application").description("applications registered at the directory");
application
  .command("add")
  .description("register an application; its secret is shown this once")
  .requiredOption("--owner <handle>", "the user it belongs to")
  .requiredOption("--name <name>", "what users are asked to allow")
  .requiredOption("--redirect-uri <uri...>", "one or more; the first is the default")
  .addOption(
    new Option("--redirect-match <mode>", "path also allows extra query parameters")
      .choices(["exact", "path"])
      .default("exact"),
  )
  .option("--token-flow", "allow response_type=token", false)
  .option("--web-connect", "send a log-in without a redirect URI to the first one", false)
  .option("--rotates-itself", "allow it to change its own secret by a call", false)
  .option("--rate-limit <n|off>", "calls per hour in each group of endpoints, instead of the default", parseLimit)
  .action(({ owner, name, redirectUri: redirectUris, ...flags }) =>
    run(async ({ deps }) => {
      const { id: ownerId } = await userOf(deps, owner);
      const added = await addApplication(deps, { ownerId, name, redirectUris, ...flags });
      return { client_id: added.clientId, client_secret: added.clientSecret };
    }),
  );
application
  .command("rotate-secret")
  .description("give an application a new secret, shown this once")
  .argument("<client-id>")
  .option(
    "--overlap <duration>",
    "how long the previous secret keeps working: 24h, 90m, at most 7d, or 0 to end it now",
    "24h",
  )
  .action((clientId, { overlap }) =>
    runSealing(async (context) => ({ client_id: clientId, client_secret: await rotate(context, clientId, overlap) })),
  );
addApplicationCommands(application, run);
addLimitCommand(application, run);
addAccessCommands(application, run);

program
  .command("token")
  .description("access tokens of the directory")
  .command("issue")
  .description("print the user's access token for an application, consent included")
  .requiredOption("--user <handle>")
  .requiredOption("--client-id <id>")
  .action(({ user, clientId }) =>
    runSealing(async ({ deps }) => {
      const { id: userId } = await userOf(deps, user);
      if (!(await findApplication(deps, clientId))) throw notFound(UNKNOWN_CLIENT);
      await consent(deps, { userId, clientId });
      return { access_token: await tokenOf(deps, { userId, clientId }) };
    }),
  );

program
  .command("provider")
  .description("provider ids for annotations")
  .command("reserve")
  .description("reserve a provider id for an application")
  .argument("<name>")
  .requiredOption("--client-id <id>")
  .action((name, { clientId }) =>
    run(async ({ deps }) => {
      await reserveProvider(deps, name, clientId);
      return { provider_id: name, client_id: clientId };
    }),
  );

addImportCommand(program, run);
addHarmonizeCommand(program, runSealing);
addBackupCommand(program, { env: process.env, print });
addRestoreCommand(program, { env: process.env, print });
addDoctorCommand(program, { env: process.env, print });
addDatabaseCommand(program, { env: process.env, print });

await runCommand(parse, complain);

async function parse(): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const isHelp = /^commander\.(help|version)/.test(error.code);
    process.exitCode = error.exitCode && 2;
    if (!isHelp) complain(`${error.message.replace(/^error: /, "").replace(/\.?$/, ".")} See samespot --help.`);
  }
}

async function run<Result extends object>(
  verb: (context: Context) => Promise<Result>,
  text: (result: Result) => string = asText,
  open = withDirectory,
): Promise<void> {
  const result = await open(process.env, verb).catch((error) => {
    const isUnknown = error instanceof KnownError && error.message === UNKNOWN_CLIENT;
    throw isUnknown ? notFound(`${UNKNOWN_CLIENT} List them with: samespot application list`) : error;
  });
  print(result, text(result));
}

function print(result: object, text: string, say = console.log): void {
  say(isJson() ? JSON.stringify(result) : text);
}

function runSealing<Result extends object>(
  verb: (context: Context) => Promise<Result>,
  text?: (result: Result) => string,
): Promise<void> {
  return run(verb, text, withVault);
}

async function userOf(deps: DirectoryDeps, handle: string) {
  const user = await findUser(deps, handle);
  if (!user) throw notFound(`There is no user with the handle ${handle}. Add one with: samespot user add`);
  if (user.disabledAt) throw new KnownError(400, "param_error", `The user ${handle} is disabled.`);
  return user;
}

function isJson(): boolean {
  return program.opts().json === true;
}

function complain(message: string): void {
  console.error(isJson() ? JSON.stringify({ error: message }) : message);
}
