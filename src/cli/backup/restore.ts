import type { Command } from "commander";
import { type Backup, checkBackup, openBackup } from "../../backup/backup-file.ts";
import { restore } from "../../backup/restore.ts";
import { readConfig } from "../../config/config.ts";
import { hex } from "../../db/keys.ts";
import { migrate, waitForTurn } from "../../db/migrate.ts";
import { secondsSince } from "../../shared/seconds-since.ts";
import { allKeys } from "../../start/keys.ts";
import type { Surroundings } from "../output.ts";
import { ownConnection, type Server, withServer } from "../with-directory.ts";
import { count } from "../words.ts";
import { openFile, readKey } from "./files.ts";

interface Options {
  check: boolean;
  allowUnencrypted: boolean;
  keyFile?: string;
}

export function addRestoreCommand(program: Command, { env, print }: Surroundings): void {
  program
    .command("restore")
    .description("restore a backup into an empty database; - reads standard input")
    .argument("<file>")
    .option("--check", "only read the backup to its end, and report whether it is whole", false)
    .option("--key-file <file>", "decrypt it with the key in this file (default: BACKUP_KEY)")
    .option("--allow-unencrypted", "restore it although there is a key and the backup is not encrypted", false)
    .addHelpText(
      "after",
      `
With a key, a backup that is not encrypted is refused: anybody could have made it.

The database is that of DATABASE_URL, or the embedded one of a new DATA_DIR. No server starts on it before the restore is
complete. After a restore that was interrupted, run it again: it begins anew.`,
    )
    .action(async (file: string, options: Options) => {
      const config = readConfig(env, { listens: false });
      const key = options.keyFile === undefined ? config.backupKey : readKey(options.keyFile);
      const backup = await openBackup(
        file === "-" ? process.stdin : await openFile(file, "Give the backup to restore, or - for standard input."),
        { passphrase: key, takesUnencrypted: options.allowUnencrypted },
      );
      if (options.check) {
        const result = summary(backup, await checkBackup(backup));
        return print(result, `The backup is whole.\n${whatItIs(result)}`);
      }
      const showProgress = process.stderr.isTTY && program.opts().json !== true;
      const result = await withServer(config, (server) => restoreInto(server, backup, showProgress));
      print(result, textOf(result));
    });
}

async function restoreInto(server: Server, backup: Backup, showProgress: boolean) {
  const { config, url, signal } = server;
  const begun = performance.now();
  const client = await ownConnection(server, "restore");
  await waitForTurn(client, (message) => console.error(message)); // a server that starts waits until the end
  const onStep = (what: string) => void (showProgress && process.stderr.write(`\r\x1b[K${what}`));
  const rows = await restore(client, backup, { signal, onStep }).catch((error) => {
    signal.throwIfAborted();
    throw error;
  });
  onStep("");
  await client.end();
  const migrated = await migrate(url);
  const have = allKeys(config).flatMap(({ vault }) => vault.keyIds.map(hex));
  const result = summary(backup, rows);
  return {
    ...result,
    migrated,
    missing_keys: result.keys.filter((id) => !have.includes(id)),
    seconds: secondsSince(begun),
  };
}

function summary({ header }: Backup, rows: Record<string, number>) {
  return {
    made_at: header.madeAt,
    version: header.version,
    rows: Object.values(rows).reduce((sum, each) => sum + each, 0),
    venues: rows["directory.venue"] ?? 0,
    keys: [...new Set([...header.keys.app, ...header.keys.directory])],
  };
}

const whatItIs = ({ made_at, version, rows, venues, keys }: ReturnType<typeof summary>): string =>
  `Made at ${made_at} by version ${version}: ${count(rows)} rows, of which ${count(venues)} venues. ` +
  `Ids of the keys that it needs: ${keys.join(", ") || "none"}.`;

function textOf(result: Awaited<ReturnType<typeof restoreInto>>): string {
  const { migrated, missing_keys: missing, seconds } = result;
  const lines = [`Restored in ${seconds} s. People log in again.`, whatItIs(result)];
  if (migrated.length > 0) lines.push(`Migrated to this version: ${migrated.join(", ")}.`);
  if (missing.length > 0)
    lines.push(
      `ENCRYPTION_KEYS lacks ${missing.join(", ")}. Samespot does not start without: set ENCRYPTION_KEYS as where the backup ` +
        "was made, or put its secrets.json into DATA_DIR.",
    );
  return lines.join("\n");
}
