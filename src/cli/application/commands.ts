import { type Command, Option } from "commander";
import { accessHistory, callsThisHour } from "../../directory/applications/access.ts";
import {
  addApplication,
  findApplication,
  lastUse,
  listApplications,
  removeApplication,
  UNKNOWN_CLIENT,
  updateApplication,
} from "../../directory/applications/applications.ts";
import { listProviders } from "../../directory/applications/providers.ts";
import { endSecret, listSecrets, rotateSecret } from "../../directory/applications/secrets.ts";
import { badRequest, notFound } from "../../shared/errors.ts";
import { keepOwnSecret } from "../../start/own-application.ts";
import { userOf } from "../active-user.ts";
import type { Context, Run } from "../with-directory.ts";
import { addAccessCommands } from "./access.ts";
import { addLimitCommand, parseLimit, shownLimit } from "./rate-limit.ts";

export function addApplicationCommands(program: Command, { run, runSealing }: Record<"run" | "runSealing", Run>): void {
  const application = program.command("application").description("applications registered at the directory");
  addRegistrationCommands(application, run, runSealing);
  addLookingCommands(application, run);
  addChangingCommands(application, run);
  addLimitCommand(application, run);
  addAccessCommands(application, run);
}

function addChangingCommands(application: Command, run: Run): void {
  application
    .command("update")
    .description("change only the settings that you give")
    .argument("<client-id>")
    .option("--name <name>", "shown to users when they are asked to allow it")
    .option("--redirect-uri <uri...>", "all redirect URIs, replacing the present ones; the first is the default")
    .addOption(
      new Option("--redirect-match <mode>", "path also allows extra query parameters").choices(["exact", "path"]),
    )
    .option("--token-flow", "allow response_type=token")
    .option("--no-token-flow", "refuse response_type=token")
    .option("--web-connect", "send a log-in without a redirect URI to the first one")
    .option("--no-web-connect", "refuse a log-in without a redirect URI")
    .option("--rotates-itself", "allow it to change its own secret by a call")
    .option("--no-rotates-itself", "do not allow it")
    .action((clientId, { redirectUri, ...changes }) => {
      const given = redirectUri ? { ...changes, redirectUris: redirectUri } : changes;
      return run(async (context) => {
        if (Object.keys(given).length === 0) throw badRequest(NOTHING_TO_CHANGE);
        await updateApplication(context.deps, clientId, given);
        return show(context, clientId);
      });
    });
  application
    .command("end-secret")
    .description("end an older secret immediately; application show lists the ids")
    .argument("<client-id>")
    .argument("<secret-id>")
    .action((clientId, secretId) =>
      run(async (context) => {
        await endSecret(context.deps, clientId, secretId);
        return show(context, clientId);
      }),
    );
  application
    .command("remove")
    .description("remove an application, its users' tokens and its provider ids with their annotations")
    .argument("<client-id>")
    .requiredOption("--yes", "confirm: this cannot be undone")
    .action((clientId) =>
      run(async ({ deps }) => {
        await removeApplication(deps, clientId);
        return { removed: clientId };
      }),
    );
}

function addLookingCommands(application: Command, run: Run): void {
  application
    .command("list")
    .description("list all applications with access and last use, oldest first")
    .action(() => run(list));
  application
    .command("show")
    .description(
      "show an application with its access and history, its live secrets (made, last used, ending) and its provider ids",
    )
    .argument("<client-id>")
    .action((clientId) => run((context) => show(context, clientId)));
}

const NOTHING_TO_CHANGE =
  "Nothing to change. Give at least one of --name, --redirect-uri, --redirect-match, --token-flow, --web-connect, --rotates-itself.";

async function list({ deps }: Context) {
  const found = await listApplications(deps);
  const calls = await callsThisHour(deps, found);
  return {
    applications: found.map((each) => ({
      client_id: each.clientId,
      name: each.name,
      owner: each.owner.handle,
      access: each.access,
      asks_for_more: each.requestedAt !== null,
      note: each.accessEvents[0]?.why ?? "",
      created: each.createdAt.toISOString(),
      secret_last_used: lastUse(each)?.toISOString() ?? null,
      calls_this_hour: calls.get(each.clientId) ?? null,
      redirect_uris: each.redirectUris,
      redirect_match: each.redirectMatch,
      token_flow: each.tokenFlow,
      web_connect: each.webConnect,
      rotates_itself: each.rotatesItself,
      rate_limit: shownLimit(each.rateLimit),
      live_secrets: each.secrets.length,
    })),
  };
}

async function show({ deps }: Context, clientId: string) {
  const found = await findApplication(deps, clientId);
  if (!found) throw notFound(UNKNOWN_CLIENT);
  const secrets = await listSecrets(deps, clientId);
  const providers = await listProviders(deps, clientId);
  const history = await accessHistory(deps, clientId);
  return {
    client_id: clientId,
    name: found.name,
    owner: found.owner,
    access: found.access,
    asks_for_more: found.requestedAt !== null,
    redirect_uris: found.redirectUris,
    redirect_match: found.redirectMatch,
    token_flow: found.tokenFlow,
    web_connect: found.webConnect,
    rotates_itself: found.rotatesItself,
    rate_limit: shownLimit(found.rateLimit),
    users: await deps.prisma.authorization.count({ where: { clientId } }),
    provider_ids: providers.map(({ id }) => id),
    secrets: secrets.map(({ id, createdAt, lastUsedAt, expiresAt }) => ({
      secret_id: id,
      made: createdAt.toISOString(),
      last_used: lastUsedAt?.toISOString() ?? null,
      ends: expiresAt?.toISOString() ?? null,
    })),
    history: history.map(({ actor, access, why, createdAt }) => ({
      when: createdAt.toISOString(),
      who: actor ?? "command line",
      what: access ?? "asked for more",
      why,
    })),
  };
}

/** `samespot application add` and `rotate-secret`, which show a secret. */
function addRegistrationCommands(application: Command, run: Run, runSealing: Run): void {
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
}

/** Returns the new secret, after storing it if the application is this installation's web app. */
async function rotate({ deps, ...parts }: Context, clientId: string, overlap: string): Promise<string> {
  const overlapHours = hours(overlap);
  const { clientSecret } = await rotateSecret(deps, clientId, { overlapHours });
  await keepOwnSecret(parts, { clientId, clientSecret, overlapSeconds: overlapHours * 3600 });
  return clientSecret;
}

const HOURS = { m: 1 / 60, h: 1, d: 24 };

function hours(duration: string): number {
  const [, amount, unit] = /^(\d{1,4})([mhd])$/.exec(duration) ?? [];
  if (duration !== "0" && !amount) throw badRequest("--overlap must look like 24h, 90m, 7d or 0.");
  return Number(amount ?? 0) * HOURS[(unit ?? "h") as keyof typeof HOURS];
}
