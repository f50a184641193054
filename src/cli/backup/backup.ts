import type { Command } from "commander";
import { dump } from "../../backup/dump.ts";
import { noteBackup } from "../../backup/last-backup.ts";
import { writeWhole } from "../../backup/whole-file.ts";
import { readConfig } from "../../config/config.ts";
import { KnownError } from "../../shared/errors.ts";
import { ownVersion } from "../../shared/version.ts";
import type { Surroundings } from "../output.ts";
import { ownConnection, type Server, withServer } from "../with-directory.ts";
import { count } from "../words.ts";
import { strongKey } from "./files.ts";

interface Options {
  force: boolean;
  keyFile?: string;
}

export function addBackupCommand(program: Command, { env, print }: Surroundings): void {
  program
    .command("backup")
    .description("write all data to a file, while servers run; - writes to standard output")
    .argument("<file>")
    .option("--force", "replace the file if it exists", false)
    .option("--key-file <file>", "encrypt it with the key in this file (default: BACKUP_KEY; if unset, not encrypted)")
    .addHelpText(
      "after",
      `
A backup is one consistent state of the database. It does not contain ENCRYPTION_KEYS, without which stored tokens and client
secrets cannot be read: keep them elsewhere. It leaves out sessions: people log in again after a restore.`,
    )
    .action(async (file: string, options: Options) => {
      const config = readConfig(env, { listens: false });
      const key = options.keyFile === undefined ? config.backupKey : strongKey(options.keyFile);
      if (file === "-") process.stdout.removeAllListeners("error"); // a reader that is gone is a failure here
      const result = await withServer(config, (server) => backUp(server, { ...options, file, key }));
      print(result, textOf(result), file === "-" ? console.error : console.log);
    });
}

async function backUp(server: Server, given: Options & { file: string; key: string | undefined }) {
  const { file, key, force } = given;
  const { signal } = server;
  const begun = performance.now();
  const client = await ownConnection(server, "backup");
  const write = (sink: NodeJS.WritableStream) => dump(client, sink, { version: ownVersion(), passphrase: key, signal });
  const { header, rows } = await (file === "-" ? write(process.stdout) : writeWhole(file, force, write)).catch(
    (error) => {
      signal.throwIfAborted();
      throw error.code === "EPIPE" ? new KnownError(400, "other", "Standard output was closed early.") : error;
    },
  );
  await noteBackup(client, header.madeAt);
  return {
    file,
    rows: Object.values(rows).reduce((sum, each) => sum + each, 0),
    encrypted: key !== undefined,
    keys: [...new Set([...header.keys.app, ...header.keys.directory])],
    seconds: Math.round((performance.now() - begun) / 100) / 10,
  };
}

function textOf({ file, rows, encrypted, keys, seconds }: Awaited<ReturnType<typeof backUp>>): string {
  const target = file === "-" ? "standard output" : file;
  const how = encrypted ? "encrypted" : "not encrypted: it contains personal data, so keep it private";
  return [
    `${count(rows)} rows in ${target} (${seconds} s), ${how}.`,
    `A restore also needs ENCRYPTION_KEYS, which are not in the backup. Keep them elsewhere. Ids of the keys in use: ${keys.join(", ") || "none"}.`,
  ].join("\n");
}
