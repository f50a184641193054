#!/usr/bin/env node
import { Command } from "commander";
import { readConfig } from "./config.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { startEmbedded } from "./db/embedded.ts";
import { migrate } from "./db/migrate.ts";
import { directoryDeps } from "./directory/app.ts";
import { addApplication, listApplications, reserveProvider, rotateSecret } from "./directory/applications.ts";
import { importVenues } from "./directory/import/import-venues.ts";
import { consent, type DirectoryDeps, tokenOf } from "./directory/tokens.ts";
import { addUser, findUser } from "./directory/users.ts";
import { KnownError } from "./errors.ts";
import { runCommand, serve } from "./main.ts";

const program = new Command("samespot")
  .description("Samespot: web app and venue directory. Settings come from the environment (.env.example).")
  .option("--json", "print one JSON object instead of text");

program
  .command("start")
  .description("run the parts that ROLES names")
  .action(() => serve(process.env));

program
  .command("migrate")
  .description("bring the database to this version")
  .action(() => run(async ({ applied }) => ({ applied })));

const user = program.command("user").description("people of the directory");
user
  .command("add")
  .requiredOption("--handle <handle>")
  .option("--first-name <name>")
  .option("--last-name <name>")
  .option("--email <address>")
  .requiredOption("--password-stdin", "read the password from standard input")
  .action(({ passwordStdin: _, ...options }) =>
    run(async ({ deps }) => {
      const { id, handle } = await addUser(deps, { ...options, password: await readStandardInput() });
      return { id, handle };
    }),
  );

const application = program.command("application").description("registered applications of the directory");
application
  .command("add")
  .requiredOption("--owner <handle>")
  .requiredOption("--name <name>")
  .requiredOption("--redirect-uri <uri...>", "in order; the first is the default")
  .option("--redirect-match <mode>", "exact, or path to allow extra query parameters", "exact")
  .option("--token-flow", "allow response_type=token", false)
  .action(({ owner, name, redirectUri, redirectMatch, tokenFlow }) =>
    run(async ({ deps }) => {
      if (redirectMatch !== "exact" && redirectMatch !== "path") fail("--redirect-match must be exact or path.");
      const ownerId = await userId(deps, owner);
      const added = await addApplication(deps, { ownerId, name, redirectUris: redirectUri, redirectMatch, tokenFlow });
      return { client_id: added.clientId, client_secret: added.clientSecret };
    }),
  );
application.command("list").action(() =>
  run(async ({ deps }) => ({
    applications: (await listApplications(deps)).map(({ clientId, name, owner, redirectUris, secrets }) => ({
      client_id: clientId,
      name,
      owner: owner.handle,
      redirect_uris: redirectUris,
      live_secrets: secrets.length,
    })),
  })),
);
application
  .command("rotate-secret <client-id>")
  .option("--overlap <duration>", "how long the old secret works on, such as 24h, 90m or 0", "24h")
  .action((clientId, { overlap }) =>
    run(async ({ deps }) => {
      const { clientSecret } = await rotateSecret(deps, clientId, { overlapHours: hours(overlap) });
      return { client_id: clientId, client_secret: clientSecret };
    }),
  );

program
  .command("token")
  .description("access tokens of the directory")
  .command("issue")
  .requiredOption("--user <handle>")
  .requiredOption("--client-id <id>")
  .action(({ user, clientId }) =>
    run(async ({ deps }) => {
      const pair = { userId: await userId(deps, user), clientId };
      await consent(deps, pair);
      return { access_token: await tokenOf(deps, pair) };
    }),
  );

program
  .command("provider")
  .description("provider ids for annotations")
  .command("reserve <name>")
  .requiredOption("--client-id <id>")
  .action((name, { clientId }) =>
    run(async ({ deps }) => {
      await reserveProvider(deps, name, clientId);
      return { provider_id: name, client_id: clientId };
    }),
  );

program
  .command("import <file>")
  .description("import venues from CSV, GeoJSON or NDJSON, also gzipped")
  .option("--keep-ids", "take the file's id as venue id", false)
  .option("--replace", "empty the directory's venues first", false)
  .action((file, { keepIds, replace }) =>
    run(async ({ deps }) => importVenues({ ...deps, file, keepIds, replace, report: showProgress })),
  );

await runCommand(async () => void (await program.parseAsync()));

/** Opens the database, brings it up to date, runs the verb and prints what it returns. Needs no running server. */
async function run(verb: (context: { deps: DirectoryDeps; applied: string[] }) => Promise<object>): Promise<void> {
  const config = readConfig(process.env);
  const embedded = config.databaseUrl ? undefined : await startEmbedded({ dir: config.dataDir });
  let database: Database | undefined;
  try {
    const url = config.databaseUrl ?? embedded?.url ?? "";
    const applied = await migrate(url);
    database = openDatabase(url, { patience: 24 * 3_600_000 });
    print(await verb({ deps: directoryDeps({ config, database }), applied }));
  } finally {
    await database?.close();
    await embedded?.stop();
  }
}

function print(result: object): void {
  if (program.opts().json) {
    console.log(JSON.stringify(result));
    return;
  }
  for (const [name, value] of Object.entries(result)) {
    console.log(`${name}: ${typeof value === "object" ? JSON.stringify(value, null, 2) : value}`);
  }
}

/** One line that is written over on a terminal; silent elsewhere, so that logs stay short. */
function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
}

async function userId(deps: DirectoryDeps, handle: string): Promise<string> {
  const found = await findUser(deps, handle);
  return found?.id ?? fail(`There is no user with the handle ${handle}. Add one with: samespot user add`);
}

/** `24h`, `90m`, `7d` or `0` as hours. */
function hours(duration: string): number {
  const [, amount, unit] = /^(\d{1,4})([hmd]?)$/.exec(duration) ?? [];
  if (amount === undefined || (unit === "" && amount !== "0")) return fail("--overlap must look like 24h, 90m or 0.");
  return Number(amount) * { h: 1, m: 1 / 60, d: 24, "": 0 }[unit as "h" | "m" | "d" | ""];
}

async function readStandardInput(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
  return text.replace(/\r?\n$/, "");
}

function fail(message: string): never {
  throw new KnownError(400, "param_error", message);
}
