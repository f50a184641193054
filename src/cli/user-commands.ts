import type { Command } from "commander";
import { addUser, findUser, setDisabled, setPassword } from "../directory/users.ts";
import { endSessionsOf } from "../http/sessions/session-store.ts";
import { notFound } from "../shared/errors.ts";
import { readPassword } from "./password.ts";
import type { Context, Run } from "./with-directory.ts";

const HANDLE = "log-in name: 2 to 30 letters, digits, dots, dashes, underscores";
const PASSWORD = "read the password from standard input; on a terminal it is asked for";

/** `samespot user …`: people of the directory. */
export function addUserCommands(program: Command, run: Run): void {
  const user = program.command("user").description("people of the directory");
  user
    .command("add")
    .description("add a person")
    .requiredOption("--handle <handle>", HANDLE)
    .option("--first-name <name>")
    .option("--last-name <name>")
    .option("--email <address>")
    .requiredOption("--password-stdin", PASSWORD)
    .action(async ({ passwordStdin: _, ...options }) => {
      const password = await readPassword();
      await run(async ({ deps }) => {
        const { id, handle } = await addUser(deps, { ...options, password });
        return { id, handle };
      });
    });
  user
    .command("set-password")
    .description("give a person another password; ends all their sessions")
    .requiredOption("--handle <handle>")
    .requiredOption("--password-stdin", PASSWORD)
    .action(async ({ handle }) => {
      const password = await readPassword();
      await run(async (context) => {
        const user = await userOf(context, handle);
        await setPassword(context.deps, user.id, password);
        return { id: user.id, handle: user.handle };
      });
    });
  user
    .command("end-sessions")
    .description("log a person out of the directory everywhere; password and tokens stay as they are")
    .requiredOption("--handle <handle>")
    .action(({ handle }) =>
      run(async (context) => {
        const user = await userOf(context, handle);
        await endSessionsOf(context.deps.pool, "directory", user.id);
        return { id: user.id, handle: user.handle };
      }),
    );
  for (const [name, isDisabled, description] of SWITCHES) {
    user
      .command(name)
      .description(description)
      .requiredOption("--handle <handle>")
      .action(({ handle }) =>
        run(async (context) => {
          const user = await userOf(context, handle);
          await setDisabled(context.deps, user.id, isDisabled);
          return { id: user.id, handle: user.handle, disabled: isDisabled };
        }),
      );
  }
}

const SWITCHES = [
  ["disable", true, "shut a person out: ends all their sessions, refuses their tokens and log-ins"],
  ["enable", false, "let a disabled person in again"],
] as const;

async function userOf({ deps }: Context, handle: string) {
  const user = await findUser(deps, handle);
  if (!user) throw notFound(`There is no user with the handle ${handle}.`);
  return user;
}
