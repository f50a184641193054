import { statSync } from "node:fs";
import path from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { dump } from "../../backup/dump.ts";
import { writeWhole } from "../../backup/header.ts";
import { backupName, deleteOlder, type Kept, noteBackup } from "../../backup/retention.ts";
import { readConfig } from "../../config/config.ts";
import { badRequest, KnownError } from "../../shared/errors.ts";
import { secondsSince } from "../../shared/seconds-since.ts";
import { ownVersion } from "../../shared/version.ts";
import type { Surroundings } from "../output.ts";
import { ownConnection, type Server, withServer } from "../with-directory.ts";
import { count } from "../words.ts";
import { strongKey } from "./files.ts";

interface Options {
  force: boolean;
  keyFile?: string;
  keep?: number;
}

export function addBackupCommand(program: Command, { env, print }: Surroundings): void {
  program
    .command("backup")
    .description("write all data to a file, while servers run; - writes to standard output")
    .argument("<file>", "or a folder, for a new file with the time in its name")
    .option("--force", "replace the file if it exists", false)
    .option("--key-file <file>", "encrypt it with the key in this file (default: BACKUP_KEY; if unset, not encrypted)")
    .option("--keep <number>", "in a folder: delete older backups, so that this many are left", atLeastOne)
    .addHelpText(
      "after",
      `
A backup is one consistent state of the database. It does not contain ENCRYPTION_KEYS, without which stored tokens and client
secrets cannot be read: keep them elsewhere. It leaves out sessions: people log in again after a restore.`,
    )
    .action(async (target: string, options: Options) => {
      const isFolder = target !== "-" && statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
      if (options.keep !== undefined && !isFolder) throw badRequest(NO_FOLDER);
      const file = isFolder ? path.join(target, backupName(new Date())) : target;
      const config = readConfig(env, { listens: false });
      const key = options.keyFile === undefined ? config.backupKey : strongKey(options.keyFile);
      if (file === "-") process.stdout.removeAllListeners("error"); // a reader that is gone is a failure here
      const result = await withServer(config, (server) => backUp(server, { ...options, file, key }));
      print(result, textOf(result), file === "-" ? console.error : console.log);
    });
}

const NO_FOLDER =
  "--keep needs a folder that exists instead of a file: it deletes older backups that got their names there.";

function atLeastOne(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999999.");
}

async function backUp(server: Server, given: Options & { file: string; key: string | undefined }) {
  const { file, key, force, keep } = given;
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
  const old: Partial<Kept> = keep === undefined ? {} : await deleteOlder(file, { keep, header, passphrase: key });
  return {
    file,
    rows: Object.values(rows).reduce((sum, each) => sum + each, 0),
    encrypted: key !== undefined,
    keys: [...new Set([...header.keys.app, ...header.keys.directory])],
    seconds: secondsSince(begun),
    ...old,
  };
}

function textOf(made: Awaited<ReturnType<typeof backUp>>): string {
  const { file, rows, encrypted, keys, seconds, deleted = [], left = [] } = made;
  const target = file === "-" ? "standard output" : file;
  const how = encrypted ? "encrypted" : "not encrypted: it contains personal data, so keep it private";
  return [
    `${count(rows)} rows in ${target} (${seconds} s), ${how}.`,
    `A restore also needs ENCRYPTION_KEYS, which are not in the backup. Keep them elsewhere. Ids of the keys in use: ${keys.join(", ") || "none"}.`,
    ...(deleted.length > 0 ? [`Deleted older backups: ${deleted.join(", ")}.`] : []),
    ...(left.length > 0
      ? [`Left, because they are not backups of this installation and key: ${left.join(", ")}.`]
      : []),
  ].join("\n");
}
