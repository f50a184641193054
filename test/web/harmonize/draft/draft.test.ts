import { describe, expect, test } from "vitest";
import { receiveFile } from "../../../../src/harmonize/file/receive.ts";
import { newTrial } from "../../../../src/harmonize/file/trial.ts";
import { ENCODINGS } from "../../../../src/shared/csv/text.ts";
import { FILE_LIMITS } from "../../../../src/shared/file-limits.ts";
import { encode } from "../../../harmonize/file/encode.ts";
import { textRows, workbookOf } from "../../../harmonize/formats/workbooks.ts";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { answersError, usual } from "../../../support/fake-directory/behaviours.ts";
import { formFields, type HttpClient } from "../../../support/http-client.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const { prisma, pool } = web.database;
const deps = { prisma, pool, directoryUrl: web.config.api.url, limits: FILE_LIMITS };
const browser = await web.logIn();
const { id: accountId } = await prisma.account.findFirstOrThrow();

const CSV = "id,name,lat,lng,note\n1,Joe,41.82,-71.41,x\n2,Ann,41.83,-71.42,\n";

async function upload(text: string | Buffer = CSV, name = "places.csv") {
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const id = await receiveFile(deps, { accountId, name, bytes, signal: new AbortController().signal });
  return { id, path: `/harmonizations/${id}`, columns: `/harmonizations/${id}/columns` };
}

const row = (id: string) => prisma.harmonization.findUniqueOrThrow({ where: { id } });
const CHOSEN = { "column-0": "id", "column-1": "name", "column-2": "lat", "column-3": "lng", "column-4": "" };

async function send(
  client: HttpClient,
  { path, columns }: { path: string; columns: string },
  fields: Record<string, string>,
) {
  return client.submit(await client.get(path), columns, { ...CHOSEN, ...fields });
}

describe("the columns of a file", () => {
  test("are shown with sample values and guessed fields", async () => {
    const { body, status } = await browser.get((await upload()).path);
    expect(status).toBe(200);
    expect(body).toMatch(/<bdi>note<\/bdi>.*?50 %.*?<bdi>x<\/bdi>/s);
    for (const [index, field] of [
      [0, "id"],
      [1, "name"],
      [2, "lat"],
      [3, "lng"],
      [4, ""],
    ] as const)
      expect(body).toMatch(
        new RegExp(`name="column-${index}"(?:(?!</select>).)*${field ? `value="${field}" selected` : ""}`, "s"),
      );
  });

  test("are saved, unless two are chosen for one field", async () => {
    const file = await upload();
    const saved = await send(browser, file, { action: "save", "column-4": "description", "column-0": "" });
    expect(saved.location).toBe(`${web.url}${file.path}`);
    expect((await row(file.id)).columns).toEqual({ name: 1, lat: 2, lng: 3, description: 4 });
    const twice = await send(browser, file, { action: "save", "column-4": "name" });
    expect([twice.status, twice.body]).toEqual([
      400,
      expect.stringContaining("Both “name” and “note” are chosen as name"),
    ]);
    expect((await row(file.id)).columns).toMatchObject({ name: 1 });
  });

  test("are guessed again when the format changes, and unreadable rows are reported", async () => {
    const file = await upload("Nom;Ville\nCaf\u00e9;Gen\u00e8ve\n");
    await send(browser, file, { action: "save", separator: "," });
    expect(await row(file.id)).toMatchObject({ header: ["Nom;Ville"], format: { separator: "," } });
    await send(browser, file, { action: "reread", separator: ";", header: "no", encoding: "windows-1252" });
    expect(await row(file.id)).toMatchObject({ header: ["Column 1", "Column 2"], format: { hasHeader: false } });
    expect((await browser.get(file.path)).body).toContain("GenÃ¨ve");
    const broken = await upload('a|"b\nc|d\n');
    const refused = await send(browser, broken, { action: "reread", separator: "|" });
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.stringContaining("first line of this file cannot be read"),
    ]);
  });

  test("F127: are read with the quotes that the owner chooses, and as guessed where nothing else is chosen", async () => {
    const form = async (file: Awaited<ReturnType<typeof upload>>) => {
      const { body } = await browser.get(file.path);
      const [, quotes] = /name="quotes"(?:(?!<\/select>).)*value="(\w+)" selected/s.exec(body) ?? [];
      return { quotes, cells: /<bdi>(C:[^<]*)<\/bdi>/.exec(body)?.[1] };
    };
    const path = ["C:\\\\new", "C:\\new"];
    const plain = await upload(`id,name,lat,lng\n1,${path[0]},41.8,-71.4\n`);
    expect(await form(plain)).toEqual({ quotes: "doubled", cells: path[0] });
    await send(browser, plain, { action: "reread", quotes: "doubled" });
    expect((await row(plain.id)).format, "it is still a guess").not.toHaveProperty("isEscaped");
    await send(browser, plain, { action: "save", quotes: "backslash" });
    expect(await form(plain)).toEqual({ quotes: "backslash", cells: path[1] });
    const escaped = await upload(`id,name,lat,lng,note\n1,${path[0]},41.8,-71.4,\\N\n2,"the \\"Lark\\"",41,-71,x\n`);
    expect(await form(escaped)).toEqual({ quotes: "backslash", cells: path[1] });
    await send(browser, escaped, { action: "save", quotes: "doubled" });
    expect(await form(escaped)).toEqual({ quotes: "doubled", cells: path[0] });
    await send(browser, escaped, { action: "reread", quotes: "doubled", encoding: "windows-1252" });
    expect((await row(escaped.id)).format).toMatchObject({ isEscaped: false });
    const book = await upload(await workbookOf({ sheets: [{ name: "A", rows: textRows([["name"], ["Joe"]]) }] }));
    expect((await browser.get(book.path)).body).not.toContain('name="quotes"');
  });

  test("are shown in the encoding that was guessed, in sight, and in another one as chosen", async () => {
    const names = ["鼎泰豐", "誠品書店", "台北車站", "國立臺灣大學", "便利商店", "永康牛肉麵"];
    const file = await upload(encode(`id,name\n${names.map((name, at) => `${at},${name}\n`).join("")}`, "big5"));
    const page = await browser.get(file.path);
    expect(page.body).toContain("<bdi>鼎泰豐</bdi>");
    expect(page.body).toMatch(/<details class="reading" open>\s*<summary>[^<]*<bdi>[^<]*Big5/);
    expect(page.body).toMatch(/<option value="big5" selected>Chinese, traditional: Big5<\/option>/);
    for (const encoding of ENCODINGS) expect(page.body).toContain(`<option value="${encoding}"`);
    await send(browser, file, { action: "reread", encoding: "euc-kr" });
    expect((await browser.get(file.path)).body).not.toContain("<bdi>鼎泰豐</bdi>");
    await send(browser, file, { action: "reread", encoding: "big5" });
    expect((await browser.get(file.path)).body).toContain("<bdi>鼎泰豐</bdi>");
  });

  test("must include a name and a position before a start", async () => {
    const file = await upload();
    const missing = await send(browser, file, { action: "start", "column-1": "", "column-2": "", "column-3": "" });
    expect(missing.status).toBe(400);
    expect(missing.body).toContain("No column is chosen for the name");
    expect(missing.body).toContain("No column is chosen for the place");
    expect((await send(browser, file, { action: "try", "column-2": "" })).body).toContain("A position needs both");
    expect((await row(file.id)).state).toBe("draft");
  });

  test("W90: a town can be said where rows name no place, and is kept by every other way to read them", async () => {
    const sheets = ["North", "South"].map((name) => ({
      name,
      rows: textRows([
        ["name", "street"],
        [`Kiosk ${name}`, "Main Street"],
      ]),
    }));
    const [book, text] = [await upload(await workbookOf({ sheets })), await upload("name;street\nKiosk;Main Street\n")];
    const none = { "column-0": "name", "column-1": "", "column-2": "", "column-3": "" };
    const say = (file: typeof book, fields: Record<string, string>) => send(browser, file, { ...none, ...fields });
    const townOf = async ({ id }: { id: string }) => ((await row(id)).format as { town?: string }).town;
    for (const file of [book, text]) {
      expect((await say(file, { action: "start" })).body).toContain("If all rows are in one town, name it.");
      web.directory.behave("/v2/venues/search", answersError(400, "failed_geocode"));
      for (const [town, words] of [
        ["Nowhere at All", "does not know this place"],
        ["x".repeat(201), "town may have at most 200"],
      ] as const)
        expect((await say(file, { action: "start", town })).body).toContain(words);
      expect(await row(file.id)).toMatchObject({ state: "draft" });
      web.directory.behave("/v2/venues/search", answersError(500, "server_error"));
      await say(file, { action: "save", town: " Orrin, ME " });
      expect(await townOf(file), "a directory that does not answer is asked when the rows are matched").toBe(
        "Orrin, ME",
      );
      web.directory.behave("/v2/venues/search", usual);
    }
    for (const [file, other] of [
      [book, { sheet: "South" }],
      [book, { header: "no" }],
      [text, { encoding: "windows-1252" }],
      [text, { separator: "," }],
      [text, { header: "no" }],
    ] as const) {
      await prisma.harmonization.update({
        where: { id: file.id },
        data: { format: { ...((await row(file.id)).format as object), columnsFrom: "june.csv" } },
      });
      await say(file, { action: "reread", ...other });
      expect([await townOf(file), (await row(file.id)).format], JSON.stringify(other)).toEqual([
        "Orrin, ME",
        expect.not.objectContaining({ columnsFrom: "june.csv" }),
      ]);
    }
    await say(text, { action: "save", town: "" });
    expect(await townOf(text)).toBeUndefined();
    expect((await browser.get((await upload()).path)).body, "rows have positions").not.toContain('name="town"');
    await say(book, { action: "start" });
    expect(await row(book.id)).toMatchObject({ state: "reading", format: { town: "Orrin, ME" } });
  });

  test("show what kind of position a column holds", async () => {
    const codes = await upload("name,code\nA,87FCRHFH+CF\nB,87FCRHGH+22\n");
    expect((await browser.get(codes.path)).body).toContain('<option value="plusCode" selected>Plus code</option>');
    const metres = await upload("name,x,y\nA,-7950682.94,5134592.1\n");
    const { body } = await browser.get(metres.path);
    expect(body).toContain('<option value="x" selected>Web Mercator x (metres)</option>');
    expect(body).toContain('<option value="y" selected>Web Mercator y (metres)</option>');
  });

  test("have a warning if the positions look wrong", async () => {
    const swapped = await upload(`name,lat,lng\n${"A,-171.4,41.8\n".repeat(5)}`);
    expect((await browser.get(swapped.path)).body).toContain("seem to be swapped");
    const sign = await upload(`name,lat,lng\n${"A,41.8,-71.4\n".repeat(40)}B,41.8,71.4\n`);
    expect((await browser.get(sign.path)).body).toMatch(
      /Line 42 \(“B”\) seems to have a longitude with .* minus missing/,
    );
    const one = (await browser.get((await upload(`name,lat,lng\n${"A,41.8,-71.4\n".repeat(40)}B,-71.4,41.8\n`)).path))
      .body;
    expect(one.match(/swapped|minus/g)).toEqual(["swapped"]);
    expect(one).toContain("Line 42 (“B”) seems to have latitude and longitude swapped.");
    const four = await upload(`name,lat,lng\n${"A,41.8,-71.4\n".repeat(60)}${"B,-71.4,41.8\n".repeat(4)}`);
    const lines = "line 62 (“B”), line 63 (“B”), line 64 (“B”) and others, seem to have latitude";
    expect((await browser.get(four.path)).body).toContain(`4 of the first rows, ${lines}`);
  });

  test("W04: with markup in names and values are shown as text", async () => {
    const { path } = await upload('<img src=x onerror=alert(1)>,name\n<script>alert(2)</script>,"""><b>"\n', "<i>.csv");
    const { body } = await browser.get(path);
    for (const markup of ["<img src=x", "<script>alert", '<b>"', "<i>.csv"]) expect(body).not.toContain(markup);
    expect(body).toContain("&lt;script&gt;alert(2)");
  });
});

describe("a start", () => {
  test("F06: sent twice at once starts one run, and both lead to its progress", async () => {
    const file = await upload();
    const page = await browser.get(file.path);
    const start = () => browser.submit(page, file.columns, { ...CHOSEN, action: "start" });
    const answers = await Promise.all([start(), start(), start()]);
    expect(answers.map(({ status, location }) => [status, location])).toEqual(
      answers.map(() => [303, web.url + file.path]),
    );
    expect((await row(file.id)).state).toBe("reading");
    const { rows } = await pool.query("SELECT count(*)::int FROM pgboss.job WHERE data->>'harmonizationId' = $1", [
      file.id,
    ]);
    expect(rows).toEqual([{ count: 1 }]);
  });

  test("accepts only a previous edition of the same owner with ids", async () => {
    const [before, file] = [await upload(), await upload()];
    await prisma.harmonization.update({ where: { id: before.id }, data: { state: "ready", listingCount: 2 } });
    expect((await browser.get(file.path)).body).toContain(`<option value="${before.id}"`);
    const noId = await send(browser, file, { action: "save", previous: before.id, "column-0": "" });
    expect(noId.body).toContain("choose the column of your own ids");
    web.directory.signIn("Bob");
    await web.logIn();
    const bob = await prisma.account.findFirstOrThrow({ where: { id: { not: accountId } } });
    const shared = { directory: deps.directoryUrl, isShared: true };
    const foreign = await makeHarmonization(web.database, bob.id, [{ name: "Bob’s" }], shared);
    expect((await send(browser, file, { action: "save", previous: foreign.id })).body).toContain(
      "one of your own files",
    );
    await prisma.harmonization.update({ where: { id: before.id }, data: { acceptFrom: 0.875, reviewFrom: 0.25 } });
    await send(browser, file, { action: "start", previous: before.id });
    expect(await row(file.id), "with its cuts").toMatchObject({
      ...{ previousId: before.id, state: "reading", acceptFrom: 0.875, reviewFrom: 0.25 },
    });
  });

  test("is preceded by a question about an earlier file if most rows share ids, names and places with it, not ids alone", async () => {
    const made = (file: string, names: string[], lat = 41.83) =>
      makeHarmonization(
        web.database,
        accountId,
        names.map((name, index) => ({
          name,
          more: { ownId: `${index + 1}`, query: { name, ll: { lat, lng: -71.41 } } },
        })),
        { directory: deps.directoryUrl, name: file, columns: { id: 0 } },
      );
    await made("Other.csv", ["Bob", "Cleo", "Dan", "Fay", "Eve"]);
    await made("Elsewhere.csv", ["Joe", "Ann"], 48.1);
    const file = await upload("id,name,lat,lng,note\n1,Joe,41.82,-71.41,x\n2,Ann,41.83,-71.42,\n5,Eve,41.83,-71.42,\n");
    expect((await browser.get(file.path)).body).not.toContain("looks like a new edition");
    const may = await made("May.csv", ["JOE", "Ann"]);
    const { body } = await browser.get(file.path);
    expect(body).toMatch(/This looks like a new edition of May\.csv \([^()]+, 2 rows\)\./);
    expect(body, "two of three ids").not.toContain(`<option value="${may.id}" selected`);
  });

  test.each([
    ["yes", { action: "edition" }, true],
    ["yes, by starting", { action: "start" }, true],
    ["no", { action: "new-list" }, false],
    ["no, by choosing none", { action: "save", previous: "" }, false],
  ] as const)(
    "W87: asks whether it is a new edition, with yes chosen when nine of ten ids are equal: %s",
    async (_, answer, isEdition) => {
      const names = Array.from({ length: 10 }, (_, at) => `Shop ${at} of ${answer.action}`);
      const rows = names.map((name, at) => ({ name, more: { ownId: `${at + 1}`, query: { name } } }));
      const format = { encoding: "utf-8", separator: ",", hasHeader: true, town: "Orrin, ME" };
      const of = { directory: deps.directoryUrl, name: "Spring.csv", columns: { id: 0 }, format };
      const { id: previousId } = await makeHarmonization(web.database, accountId, rows, of);
      const lines = names.map((name, at) => `${at === 9 ? 77 : `${at + 1}.0`},${name},41.8${at},-71.4`);
      const file = await upload(`id,name,lat,lng\n${lines.join("\n")}\n`);
      const page = await browser.get(file.path);
      expect(page.body).toContain("This looks like a new edition of Spring.csv");
      const shown = { ...CHOSEN, previous: previousId }; // as a browser sends the page
      expect(page.body).toContain(`<option value="${previousId}" selected`);
      await browser.submit(page, file.columns, { ...shown, action: "rename", name: "Summer.csv" });
      expect(await row(file.id), "a new name answers nothing").toMatchObject({ previousId: null, name: "Summer.csv" });
      await browser.submit(await browser.get(file.path), file.columns, { ...shown, ...answer });
      const answered = await row(file.id);
      expect(answered.previousId).toBe(isEdition ? previousId : null);
      expect(answered.format, "the town goes on").toEqual(
        isEdition ? expect.objectContaining({ town: "Orrin, ME" }) : expect.not.objectContaining({ town: "Orrin, ME" }),
      );
      const { body } = await browser.get(file.path);
      expect(body).not.toContain("looks like a new edition");
      if (answer.action !== "start") expect(body.includes(`<option value="${previousId}" selected`)).toBe(isEdition);
    },
  );

  test("W08: is only for the owner", async () => {
    const file = await upload();
    await prisma.harmonization.update({ where: { id: file.id }, data: { isShared: true } });
    web.directory.signIn("Cleo");
    const other = await web.logIn(web.newBrowser());
    const { _csrf = "" } = formFields(await other.get("/settings"), "/logout");
    expect((await other.post(file.columns, { ...CHOSEN, _csrf, action: "start" })).status).toBe(404);
    expect((await other.get(file.path)).status).toBe(404);
    expect((await row(file.id)).state).toBe("draft");
  });
});

test("a trial is shown while it runs and when it is done", async () => {
  const file = await upload();
  await send(browser, file, { action: "try" });
  expect((await row(file.id)).trial).toMatchObject({ state: "waiting" });
  const waiting = await browser.get(file.path);
  expect([waiting.headers.get("refresh"), waiting.body]).toEqual([
    "2",
    expect.stringContaining("Asking the directory"),
  ]);
  const example = { outcome: "review", line: 3, name: "Ann", venue: "Ann’s", score: 0.61, reasons: ["names similar"] };
  const counts = { matched: 1, review: 1, none: 0, failed: 0 };
  const trial = { ...newTrial(), state: "done", total: 2, done: 2, counts, examples: [example] };
  await prisma.harmonization.update({ where: { id: file.id }, data: { trial } });
  const done = await browser.get(file.path);
  expect(done.headers.get("refresh")).toBeNull();
  expect(done.body).toMatch(/To review\s*<b>1<\/b>.*50 %.*Ann.*Ann’s.*61 %.*names similar/s);
});
