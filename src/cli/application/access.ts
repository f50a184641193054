import { type Command, Option } from "commander";
import type { Access } from "../../directory/access.ts";
import { changeAccess } from "../../directory/applications/access.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Context, Run } from "../with-directory.ts";

type What = "reading" | "harmonizing";
interface Options {
  for: What;
  why?: string;
  yes?: boolean;
}

const ENABLED: Record<What, Access> = { reading: "reading", harmonizing: "enabled" };
const STOPPED: Record<What, Access> = { reading: "stopped", harmonizing: "reading" };

/** `samespot application enable` and `stop` (interface, "Registration rules"). */
export function addAccessCommands(application: Command, run: Run): void {
  const add = (name: string, description: string) =>
    application
      .command(name)
      .description(description)
      .argument("<client-id>")
      .option("--why <text>", "a note for its owner and the history");
  const forWhat = (description: string) =>
    new Option("--for <what>", description).choices(["reading", "harmonizing"] satisfies What[]);

  add("enable", "allow an application everything, or with --for reading at least reading")
    .addOption(forWhat("reading: log people in and read; harmonizing: everything").default("harmonizing"))
    .action((clientId: string, { for: what, why = "" }: Options) =>
      run((context) => change(context, clientId, { access: ENABLED[what], how: "raise", why })),
    );
  add("stop", "refuse every call of an application or, with --for harmonizing, all except reading; its tokens stay")
    .addOption(
      forWhat("reading: refuse everything; harmonizing: refuse matching, adding, annotating and checking in").default(
        "reading",
      ),
    )
    .option("--yes", "stop it even if it is the web app's own application")
    .action((clientId: string, { for: what, why = "", yes = false }: Options) =>
      run((context) => change(context, clientId, { access: STOPPED[what], how: "lower", why, isConfirmed: yes })),
    );
}

async function change(
  { deps }: Context,
  clientId: string,
  order: { access: Access; how: "raise" | "lower"; why: string; isConfirmed?: boolean },
) {
  const { access, before } = await changeAccess(deps, clientId, { actorId: null, ...order }).catch((error) => {
    if (!(error instanceof KnownError) || error.code !== "own_application") throw error;
    throw new KnownError(error.status, error.code, `${error.message} Add --yes to do it anyway.`);
  });
  return { client_id: clientId, access, access_before: before };
}
