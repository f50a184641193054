import type { Command } from "commander";
import { forgetKeys, type ListedKey, listKeys, type Rotation, rotateKeys } from "../start/keys.ts";
import { whenGone } from "./patience.ts";
import type { Context, Run } from "./with-directory.ts";

/**
 * `samespot keys …`: the ENCRYPTION_KEYS, and what is sealed with each.
 *
 * @param runSealing runs a verb that seals with the first of them
 * @param runAnyway runs a verb also where a key in use is missing
 */
export function addKeyCommands(
  program: Command,
  { runSealing, runAnyway }: Record<"runSealing" | "runAnyway", Run>,
): void {
  const keys = program.command("keys").description("the ENCRYPTION_KEYS, and what is sealed with each");
  keys
    .command("list")
    .description("list every key that is configured or in use, and how many values it has sealed")
    .action(() =>
      runAnyway(async ({ config, database }) => ({ keys: await listKeys(config, database.pool) }), listText),
    );
  keys
    .command("rotate")
    .description("seal everything anew with the first of ENCRYPTION_KEYS; servers may run, and it may be run again")
    .action(() => {
      const showProgress = process.stderr.isTTY && program.opts().json !== true;
      return runSealing((context) => rotate(context, showProgress), rotationText);
    });
  keys
    .command("forget")
    .description("give up what is sealed with a lost key: its users log in again")
    .argument("<key...>", "ids, as list shows them")
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
      whenGone("What is sealed anew stays so. Run it again to go on."),
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
  const lines = [`${count(resealed)} values sealed anew with the first of ENCRYPTION_KEYS.`];
  if (renamed > 0) lines.push(`${count(renamed)} accounts renamed that are known by a fingerprint of their token.`);
  if (left > 0)
    lines.push(`${count(left)} accounts keep the fingerprint of a token that is gone: whose they are begins anew.`);
  if (unreadable.length > 0) {
    lines.push(`${count(unreadable.length)} values open with no key and were left:`, ...unreadable.slice(0, SHOWN));
    if (unreadable.length > SHOWN) lines.push(`and ${count(unreadable.length - SHOWN)} more: see --json`);
  }
  lines.push(
    removable.length > 0
      ? `Nothing is sealed any more with number ${removable.join(", ")} of ENCRYPTION_KEYS: start all processes without.`
      : "No older key can be taken out of ENCRYPTION_KEYS.",
  );
  return lines.join("\n");
}

const count = (value: number) => value.toLocaleString("en-US");
