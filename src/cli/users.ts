import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Command } from "commander";
import { addUser, findUser, listUsers, setDisabled, setPassword } from "../directory/users.ts";
import { endSessionsOf } from "../http/pages/sessions.ts";
import { badRequest, notFound } from "../shared/errors.ts";
import type { Context, Run } from "./with-directory.ts";

const HANDLE = "log-in name: 2 to 30 letters, digits, dots, dashes or underscores";
const PASSWORD = "read the password from standard input, or prompt for it on a terminal";

export function addUserCommands(program: Command, run: Run): void {
  const user = program.command("user").description("users of the directory");
  user
    .command("add")
    .description("add a user")
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
    .description("set a new password and end all sessions of a user")
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
    .description("end all sessions of a user in the directory; password and tokens stay valid")
    .requiredOption("--handle <handle>")
    .action(({ handle }) =>
      run(async (context) => {
        const user = await userOf(context, handle);
        await endSessionsOf(context.deps.pool, "directory", user.id);
        return { id: user.id, handle: user.handle };
      }),
    );
  user
    .command("list")
    .description("list all users by handle, with how many applications each owns")
    .action(() => run(list, table));
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
  ["disable", true, "block a user: end all sessions, refuse tokens and log-ins"],
  ["enable", false, "unblock a user"],
] as const;

async function list({ deps }: Context) {
  const users = await listUsers(deps);
  return {
    users: users.map(({ id, handle, firstName, lastName, createdAt, disabledAt, _count }) => ({
      id,
      handle,
      name: [firstName, lastName].filter(Boolean).join(" "),
      created: createdAt.toISOString(),
      disabled: disabledAt !== null,
      applications: _count.applications,
    })),
  };
}

function table({ users }: Awaited<ReturnType<typeof list>>): string {
  const rows = users.map(({ handle, name, created, disabled, applications }) => [
    handle,
    name,
    created.slice(0, 10),
    disabled ? "disabled" : "",
    String(applications),
  ]);
  const all = [["handle", "name", "created", "state", "applications"], ...rows];
  const widths = all[0]?.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

async function userOf({ deps }: Context, handle: string) {
  const user = await findUser(deps, handle);
  if (!user) throw notFound(`There is no user with the handle ${handle}.`);
  return user;
}

/** Characters; bounds the memory used. */
const MOST = 10_000;

/** Reads standard input without the final line end, or prompts without echo on a terminal. */
async function readPassword(): Promise<string> {
  const password = process.stdin.isTTY ? await ask("Password: ") : await readAll();
  if (password === "") {
    const example = "printf '%s' \"$PASSWORD\" | samespot user add --handle ada --password-stdin";
    throw badRequest(`There is no password on standard input. Pass it like this: ${example}`);
  }
  return password;
}

async function readAll(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MOST) break;
  }
  return text.replace(/\r?\n$/, "");
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const answer = await terminal.question("");
  terminal.close();
  process.stderr.write("\n");
  return answer;
}
