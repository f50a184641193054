import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Header, randomSalt, writeHeader } from "../../src/backup/header.ts";
import { backupName, deleteOlder } from "../../src/backup/retention.ts";
import { KEY } from "./restored.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-27T03:15:00Z");
const HEADER = {
  format: 1,
  version: "1",
  postgres: "18",
  migrations: ["2"],
  keys: { app: ["aa"], directory: ["bb"] },
} as const;

const headerOf = (daysAgo: number, more: Partial<Header> = {}): Header =>
  ({ ...structuredClone(HEADER), madeAt: new Date(NOW - daysAgo * DAY_MS).toISOString(), ...more }) as Header;
const bytesOf = (header: Header, key?: string): Buffer =>
  Buffer.concat([writeHeader(key ? { ...header, salt: randomSalt() } : header, key).bytes, Buffer.from("frames")]);
const nameOf = (daysAgo: number): string => backupName(new Date(NOW - daysAgo * DAY_MS));

/** A folder with the backup just made, and one of each day before. */
function folderWith(days: number, key?: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-retention-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (let day = 0; day <= days; day++) writeFileSync(path.join(folder, nameOf(day)), bytesOf(headerOf(day), key));
  return folder;
}

const after = (folder: string, keep: number, passphrase?: string) =>
  deleteOlder(path.join(folder, nameOf(0)), { keep, header: headerOf(0), passphrase });

test.each([
  { key: undefined, how: "without a key" },
  { key: KEY, how: "with a key" },
])("F99: of three backups the newest two are left, $how, and one at least", async ({ key }) => {
  const folder = folderWith(2, key);
  expect(await after(folder, 2, key)).toEqual({ deleted: [nameOf(2)], left: [] });
  expect(readdirSync(folder).sort()).toEqual([nameOf(1), nameOf(0)]);
  expect(await after(folder, 2, key)).toEqual({ deleted: [], left: [] });
  expect(await after(folder, 1, key)).toEqual({ deleted: [nameOf(1)], left: [] });
  expect(readdirSync(folder)).toEqual([nameOf(0)]);
});

/** What must be left, beside old backups that go. Each gets a name in the folder, most of them that of a backup. */
const old = headerOf(50);
const OTHERS: [string, string, (file: string) => void][] = [
  ["an empty file", nameOf(50), (file) => writeFileSync(file, "")],
  ["a file of something else", nameOf(50), (file) => writeFileSync(file, "SAMESPOT BACKUP, a letter\nto\nme\n")],
  ["a header that was cut", nameOf(50), (file) => writeFileSync(file, bytesOf(old).subarray(0, 60))],
  ["a header that was changed", nameOf(50), (file) => writeFileSync(file, `${bytesOf(old)}`.replace("2026", "2025"))],
  ["a header of a later format", nameOf(50), (file) => writeFileSync(file, `${bytesOf(old)}`.replace("1", "2"))],
  ["a backup with another key", nameOf(50), (file) => writeFileSync(file, bytesOf(old, `${KEY}x`))],
  [
    "a backup of another installation",
    nameOf(50),
    (file) => writeFileSync(file, bytesOf(headerOf(50, { keys: { app: ["cc"], directory: [] } }))),
  ],
  ["a backup made later", nameOf(50), (file) => writeFileSync(file, bytesOf(headerOf(-1)))],
  ["a backup of the same moment", nameOf(50), (file) => writeFileSync(file, bytesOf(headerOf(0)))],
  ["a link to a backup", nameOf(50), (file) => symlinkSync(path.join(path.dirname(file), nameOf(0)), file)],
  ["a link that leads nowhere", nameOf(50), (file) => symlinkSync("nowhere", file)],
  ["a folder", nameOf(50), (file) => mkdirSync(file)],
  ...[
    "samespot.backup",
    "samespot-2026-10-08.backup",
    `${nameOf(50)}.1a2b3c4d.partial`,
    `x${nameOf(50)}`,
    `${nameOf(50)}\n`,
    nameOf(50).toUpperCase(),
    ".backup",
  ].map((name): [string, string, (file: string) => void] => [
    `a backup named ${JSON.stringify(name)}`,
    name,
    (file) => writeFileSync(file, bytesOf(old)),
  ]),
  [
    "a backup in a folder below",
    "below",
    (file) => {
      mkdirSync(file);
      writeFileSync(path.join(file, nameOf(50)), bytesOf(old));
    },
  ],
];

test.each(OTHERS)("F99: retention neither deletes nor counts %s", async (_what, name, make) => {
  const folder = folderWith(3);
  make(path.join(folder, name));
  const others = readdirSync(folder, { recursive: true }).filter((each) => !/^samespot-202611\d+T/.test(`${each}`));
  expect((await after(folder, 2)).deleted).toEqual([nameOf(2), nameOf(3)]);
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual([...others, nameOf(1), nameOf(0)].sort());
});

test("F99: with a key, backups without encryption are left: anybody could have made them", async () => {
  const folder = folderWith(1, KEY);
  const plain = nameOf(50);
  writeFileSync(path.join(folder, plain), bytesOf(old));
  expect(await after(folder, 1, KEY)).toEqual({ deleted: [nameOf(1)], left: [plain] });
});

test("F99: after a rotation of the keys, backups that share a key with the newest are still this installation's", async () => {
  const folder = folderWith(1);
  const header = headerOf(0, { keys: { app: ["aa", "cc"], directory: ["dd"] } });
  expect(await deleteOlder(path.join(folder, nameOf(0)), { keep: 1, header, passphrase: undefined })).toEqual({
    deleted: [nameOf(1)],
    left: [],
  });
});

test("F99: the time of the header decides which is older, not the name or the time of the file", async () => {
  const folder = folderWith(2);
  copyFileSync(path.join(folder, nameOf(1)), path.join(folder, nameOf(60)));
  rmSync(path.join(folder, nameOf(1)));
  await after(folder, 2);
  expect(existsSync(path.join(folder, nameOf(60)))).toBe(true);
  expect(readdirSync(folder).sort()).toEqual([nameOf(60), nameOf(0)]);
});
