import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { Readable } from "node:stream";
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it, test } from "vitest";
import { checkBackup, openBackup, toFrames } from "../../src/backup/backup-file.ts";
import {
  createByteReader,
  createSeal,
  type Header,
  keyCost,
  type Opening,
  randomSalt,
  writeHeader,
} from "../../src/backup/header.ts";
import { endRecord, rowsRecord, tableRecord } from "../../src/backup/records.ts";
import { FORMER } from "../../src/db/former.ts";
import { KnownError } from "../../src/shared/errors.ts";
import { roundsOf } from "../support/rounds.ts";
import { KEY } from "./restored.ts";

const REAL_COST = { ...keyCost };
// A hundred keys are derived here.
keyCost.N = 2 ** 10;
afterAll(() => void Object.assign(keyCost, REAL_COST));

const HEADER: Header = {
  format: 1,
  version: "1.2.3",
  madeAt: "2026-01-01T00:00:00.000Z",
  postgres: "18.4",
  migrations: readdirSync("prisma/migrations").filter((name) => name.startsWith("2")),
  keys: { app: [], directory: [] },
};
const ROWS = { "directory.category": 400 };
const NOTHING = "Nothing was restored.";

type Made = Awaited<ReturnType<typeof make>>;

/** Random, so that it does not compress: four frames. */
async function make(key?: string, header: Partial<Header> = {}) {
  const whole = { ...HEADER, ...(key !== undefined && { salt: randomSalt() }), ...header };
  const { bytes: head, seal } = writeHeader(whole, key);
  const records = [
    tableRecord({ schema: "directory", name: "category", columns: ["id"] }),
    rowsRecord(randomBytes(900_000)),
    endRecord({ sequences: [], rows: ROWS }),
  ];
  const frames: Buffer[] = [];
  for await (const frame of toFrames(Readable.from([zstdCompressSync(Buffer.concat(records))]), seal))
    frames.push(frame);
  return { head, frames, seal };
}

/** Reads it to its end, as `restore --check` does. Returns the rows, or the sentence of the refusal. */
const read = ({ head, frames }: Pick<Made, "head" | "frames">, opening: Opening): Promise<unknown> =>
  openBackup(Readable.from([head, ...frames]), opening)
    .then((backup) => checkBackup(backup))
    .catch(sentenceOf);

/** The same with an opened header. */
const readBehind = (seal: Made["seal"], frames: Buffer[]): Promise<unknown> =>
  checkBackup({ header: HEADER, seal, reader: createByteReader(Readable.from(frames)) }).catch(sentenceOf);

function sentenceOf(error: unknown): string {
  if (error instanceof KnownError) return error.message;
  throw error;
}

const later = { madeAt: "2026-01-02T00:00:00.000Z" };
const [plain, other, sealed, sealedToo] = [
  await make(),
  await make(undefined, later),
  await make(KEY),
  await make(KEY),
];

test("S95: with a key, a backup without encryption is refused before anything is read behind its header, unless it is asked for", async () => {
  const refusal = expect.stringMatching(
    /^This backup is not encrypted, although there is a key .*--allow-unencrypted\.$/,
  );
  expect(await read(plain, { passphrase: KEY })).toEqual(refusal);
  expect(await read({ ...plain, frames: [] }, { passphrase: KEY })).toEqual(refusal);
  expect(await read(plain, { passphrase: KEY, takesUnencrypted: true })).toEqual(ROWS);
  expect(await read(plain, { passphrase: undefined })).toEqual(ROWS);
});

test("S95: leave to take an unencrypted backup opens no encrypted one with another key", async () => {
  for (const takesUnencrypted of [false, true]) {
    expect(await read(sealed, { passphrase: KEY, takesUnencrypted })).toEqual(ROWS);
    for (const passphrase of ["", `${KEY}x`, KEY.slice(1)])
      expect(await read(sealed, { passphrase, takesUnencrypted })).toContain("The key does not open this backup");
    expect(await read(sealed, { passphrase: undefined, takesUnencrypted })).toContain("This backup is encrypted.");
  }
});

describe("S95: fields of a header that choose how a backup is read", () => {
  const BAD = `The beginning of this backup is damaged. ${NOTHING}`;
  const UNKNOWN = "which this release does not know";
  const cases: [string, object, string][] = [
    ...[
      "",
      "AAAA",
      Buffer.alloc(15).toString("base64"),
      Buffer.alloc(17).toString("base64"),
      "not base64",
      null,
      7,
    ].map((salt): [string, object, string] => [`salt ${JSON.stringify(salt)}`, { salt }, BAD]),
    ...[0, 2, 99, -1].map((format): [string, object, string] => [
      `format ${format}`,
      { format },
      `This backup has format ${format}, ${UNKNOWN}`,
    ]),
    ...["1", null, 1.5, [1], undefined].map((format): [string, object, string] => [
      `format ${JSON.stringify(format)}`,
      { format },
      BAD,
    ]),
    ...["algorithm", "cipher", "kdf", "encryption"].map((field): [string, object, string] => [
      `the field ${field}`,
      { [field]: "none" },
      `This backup has ${field}, ${UNKNOWN}`,
    ]),
    ["no migrations", { migrations: [] }, BAD],
    ["migrations before the first release", { migrations: [FORMER.first] }, "Restore it into a database with 1.2.3"],
    ["a migration of later", { migrations: ["29990101000000_later"] }, "This backup is newer than this program"],
  ];

  it.each(cases)(
    "S95: %s is refused with and without a key, however well it is signed",
    async (_what, header, sentence) => {
      const bySomebody = signed({ ...HEADER, ...header });
      expect(await read(bySomebody, { passphrase: undefined })).toContain(sentence);
      expect(await read(bySomebody, { passphrase: KEY, takesUnencrypted: true })).toContain(sentence);
      if ("salt" in header) return;
      const byOwner = signed({ ...HEADER, salt: randomSalt(), ...header }, KEY);
      expect(await read(byOwner, { passphrase: KEY })).toContain(sentence);
    },
  );

  it.each([
    { how: "plain", made: plain, passphrase: undefined },
    { how: "encrypted", made: sealed, passphrase: KEY },
  ])(
    "S95: cut anywhere, or with a bit changed anywhere, the header of a backup is refused, $how",
    async ({ made, passphrase }) => {
      const { head, frames } = made;
      const random = Array.from({ length: roundsOf(40, 8) }, () => Math.floor(Math.random() * (head.length - 1)));
      const refusal = expect.stringMatching(
        /damaged|not a backup|does not know|newer than|not encrypted, although|is encrypted/,
      );
      for (const at of [0, 5, 17, 27, head.length - 2, ...random]) {
        expect(await read({ head: head.subarray(0, at), frames: [] }, { passphrase }), `cut at ${at}`).toEqual(refusal);
        const changed = Buffer.from(head);
        changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
        expect(await read({ head: changed, frames }, { passphrase }), `changed at ${at}`).toEqual(refusal);
      }
    },
  );

  it("S95: a header that lost or got its salt does not open the frames of the other kind", async () => {
    for (const takesUnencrypted of [false, true]) {
      const bare = { ...plain, frames: sealed.frames };
      expect(await read(bare, { passphrase: KEY, takesUnencrypted })).toMatch(
        /not encrypted, although|Part 1 .*changed/,
      );
      const salted = { head: sealed.head, frames: plain.frames };
      expect(await read(salted, { passphrase: KEY, takesUnencrypted })).toContain("Part 1 of this backup was changed");
    }
  });
});

/** A header of any content, with its proof. */
function signed(header: object, passphrase?: string) {
  const json = JSON.stringify(header);
  const digest = createHash("sha256").update(json).digest();
  const { salt } = { salt: "", ...header };
  const { proof } = createSeal(digest, passphrase ? { salt: Buffer.from(salt, "base64"), passphrase } : undefined);
  return { head: Buffer.from(`SAMESPOT BACKUP\n${json}\n${proof}\n`), frames: plain.frames };
}

describe.each([
  { how: "plain", made: plain, foreign: other },
  { how: "encrypted", made: sealed, foreign: sealedToo },
])("S95: the frames of a backup, $how", ({ made: { seal, frames }, foreign }) => {
  const refused = (parts: Buffer[]) => readBehind(seal, parts);
  const [cut, added, moved] = [
    "cut short: its end is missing",
    "added behind the end",
    "missing, repeated or in another order",
  ];

  it("S95: cut at the border of every frame, and within every frame, are refused as cut", async () => {
    expect(frames.length).toBe(4);
    expect(await refused([])).toContain("cut short behind its beginning");
    for (let kept = 1; kept < frames.length; kept++) expect(await refused(frames.slice(0, kept))).toContain(cut);
    const bytes = Buffer.concat(frames);
    for (let round = 0; round < roundsOf(40, 6); round++) {
      const at = 1 + Math.floor(Math.random() * (bytes.length - 2));
      expect(await refused([bytes.subarray(0, at)]), `cut at ${at}`).toContain(cut);
    }
  });

  it("S95: in every other order, with any left out or repeated, are refused by name", async () => {
    const indexes = fc.array(fc.integer({ min: 0, max: frames.length - 1 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(indexes, async (order) => {
        const isWhole = order.join() === "0,1,2,3";
        const result = await refused(order.flatMap((index) => frames[index] ?? []));
        expect(result).toEqual(isWhole ? ROWS : expect.stringMatching(new RegExp(`${cut}|${added}|${moved}`)));
      }),
      { numRuns: roundsOf(200, 30) },
    );
    expect(await refused([...frames, ...frames.slice(0, 1)])).toContain(added);
    expect(await refused([frames[1], frames[0], frames[2], frames[3]] as Buffer[])).toContain(moved);
    expect(await refused([frames[0], frames[2], frames[3]] as Buffer[])).toContain(moved);
  });

  it("S95: one of another backup in any place, or a changed bit anywhere, is refused with the number of the part", async () => {
    for (let index = 0; index < frames.length; index++)
      expect(await refused(frames.with(index, foreign.frames[index] as Buffer))).toContain(
        `Part ${index + 1} of this backup was changed, or belongs to another backup`,
      );
    expect(await refused(foreign.frames)).toContain("Part 1 of this backup was changed");
    // Each is tried at five hundred other places, 130 MB to decrypt.
    for (let round = 0; round < roundsOf(40, 2); round++) {
      const index = Math.floor(Math.random() * frames.length);
      const changed = Buffer.from(frames[index] as Buffer);
      const at = 4 + Math.floor(Math.random() * (changed.length - 4));
      changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
      expect(await refused(frames.with(index, changed)), `bit of byte ${at}`).toContain(`Part ${index + 1} of`);
    }
  });

  it("S95: a length that is not that of its frame is refused", async () => {
    for (const length of [0, 1, 15, 1000, 2 ** 24, 2 ** 32 - 1]) {
      const first = Buffer.from(frames[0] as Buffer);
      first.writeUInt32BE(length);
      expect(await refused(frames.with(0, first))).toContain(NOTHING);
    }
  });
});
