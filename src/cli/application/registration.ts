import { type Command, Option } from "commander";
import { addApplication } from "../../directory/applications/applications.ts";
import { userOf } from "../active-user.ts";
import type { Run } from "../with-directory.ts";
import { parseLimit } from "./rate-limit.ts";
import { rotate } from "./rotate-secret.ts";

/** `samespot application add` and `rotate-secret`, which show a secret. */
export function addRegistrationCommands(application: Command, run: Run, runSealing: Run): void {
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
