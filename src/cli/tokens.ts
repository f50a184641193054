import type { Command } from "commander";
import { findApplication, UNKNOWN_CLIENT } from "../directory/applications/applications.ts";
import { reserveProvider } from "../directory/applications/providers.ts";
import { consent, tokenOf } from "../directory/tokens.ts";
import { notFound } from "../shared/errors.ts";
import { userOf } from "./active-user.ts";
import type { Run } from "./with-directory.ts";

export function addTokenCommand(program: Command, runSealing: Run): void {
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
}

export function addProviderCommand(program: Command, run: Run): void {
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
}
