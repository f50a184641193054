import type { Command } from "commander";
import { forgetKeys, type ListedKey, listKeys, type Rotation, rotateKeys } from "../start/keys.ts";
import { whenGone } from "./patience.ts";
import type { Context, Run } from "./with-directory.ts";
import { count } from "./words.ts";

/** `runSealing` runs a verb that encrypts with the first key; `runAnyway` runs one even if a key in use is missing. */
export function addKeyCommands(
  program: Command,
  { runSealing, runAnyway }: Record<"runSealing" | "runAnyway", Run>,
): void {
  const keys = program.command("keys").description("the ENCRYPTION_KEYS, and the values encrypted with each");
  keys
    .command("list")
    .description("list every key that is configured or in use, with the number of values encrypted with it")
    .action(() =>
      runAnyway(async ({ config, database }) => ({ keys: await listKeys(config, database.pool) }), listText),
    );
  keys
    .command("rotate")
    .description(
      "re-encrypt everything with the first of ENCRYPTION_KEYS; safe to repeat, and while servers are running",
    )
    .action(() => {
      const showProgress = process.stderr.isTTY && program.opts().json !== true;
      return runSealing((context) => rotate(context, showProgress), rotationText);
    });
  keys
    .command("forget")
    .description("delete the values encrypted with a lost key: the users concerned log in again")
    .argument("<key...>", "ids from keys list")
    .action((ids) =>
      runAnyway(async ({ config, database }) => ({ forgotten: await forgetKeys(config, database.pool, ids) })),
    );
}

async function rotate({ config, database, signal }: Context, showProgress: boolean): Promise<Rotation> {
  let done = 0;
  const onProgress = (rows: number) => {
    signal.throwIfAborted();
    done += rows;
    if (showProgress) process.stderr.write(`\r\x1b[K${count(done)} values`);
  };
  try {
    return await rotateKeys(config, database.pool, onProgress).catch(
      whenGone("Values encrypted so far stay as they are. Run the command again to continue."),
    );
  } finally {
    if (showProgress) process.stderr.write("\r\x1b[K");
  }
}

function listText({ keys }: { keys: ListedKey[] }): string {
  const describe = ({ schema, id, values, position, registered }: ListedKey) =>
    [
      schema.padEnd(9),
      id,
      `${count(values)} values`.padStart(16),
      position ? `number ${position} of ENCRYPTION_KEYS` : "not in ENCRYPTION_KEYS",
      registered ? "" : "(not in use)",
    ].join("  ");
  return keys.map((key) => describe(key).trimEnd()).join("\n");
}

const SHOWN = 20;

function rotationText({ resealed, renamed, left_accounts: left, unreadable, removable }: Rotation): string {
  const lines = [`${count(resealed)} values re-encrypted with the first of ENCRYPTION_KEYS.`];
  if (renamed > 0) lines.push(`${count(renamed)} accounts identified by a fingerprint of their token were renamed.`);
  if (left > 0)
    lines.push(
      `${count(left)} accounts keep the fingerprint of a lost token: their users get new accounts at the next log-in.`,
    );
  if (unreadable.length > 0) {
    lines.push(
      `${count(unreadable.length)} values cannot be decrypted with any key and were left:`,
      ...unreadable.slice(0, SHOWN),
    );
    if (unreadable.length > SHOWN) lines.push(`and ${count(unreadable.length - SHOWN)} more; use --json for all`);
  }
  lines.push(
    removable.length > 0
      ? `No value is encrypted with number ${removable.join(", ")} of ENCRYPTION_KEYS any more. Restart all processes without it.`
      : "No older key can be removed from ENCRYPTION_KEYS.",
  );
  return lines.join("\n");
}
