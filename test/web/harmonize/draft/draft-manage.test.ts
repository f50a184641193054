import { expect, test } from "vitest";
import { receiveFile } from "../../../../src/harmonize/file/receive.ts";
import { newTrial } from "../../../../src/harmonize/file/trial.ts";
import { newList } from "../../../../src/harmonize/run/lists.ts";
import { FILE_LIMITS } from "../../../../src/shared/file-limits.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const { prisma, pool } = web.database;
const deps = { prisma, pool, directoryUrl: web.config.api.url, limits: FILE_LIMITS };
const browser = await web.logIn();
const { id: accountId } = await prisma.account.findFirstOrThrow();

async function upload(text = "id,name,lat,lng\n1,Joe,41.82,-71.41\n") {
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const id = await receiveFile(deps, { accountId, name: "places.csv", bytes, signal: new AbortController().signal });
  return { id, path: `/harmonizations/${id}` };
}

const row = (id: string) => prisma.harmonization.findUniqueOrThrow({ where: { id } });

const send = async ({ path }: { path: string }, fields: Record<string, string>) =>
  browser.submit(await browser.get(path), `${path}/columns`, fields);

test("the column names come from the chosen line, and a refused start is reported", async () => {
  const file = await upload("Our stores\nas of May\nid,name,lat,lng,note\n1,Joe,41.8,-71.4,x\n2,Ann,41.9,-71.4,y\n");
  const page = (await browser.get(file.path)).body;
  expect(page).toContain("names in line 3");
  expect(page).toContain('<option value="3" selected>In line 3</option>');
  await send(file, { action: "reread", header: "yes" });
  expect(await row(file.id)).toMatchObject({ header: ["Our stores"], format: { hasHeader: true } });
  expect((await row(file.id)).format).not.toHaveProperty("headerLine");
  await send(file, { action: "save", header: "3", separator: "," });
  expect(await row(file.id)).toMatchObject({ format: { headerLine: 3 }, columns: { id: 0, name: 1, lat: 2, lng: 3 } });
  const trial = { ...newTrial(), state: "done", error: { code: "told", said: "Too many rows." }, examples: [] };
  await prisma.harmonization.update({ where: { id: file.id }, data: { trial } });
  expect((await browser.get(file.path)).body).toMatch(/Matching did not start.*Too many rows/s);
});

test("a draft is renamed on its page, and deleted there or from the list", async () => {
  const [first, second] = [await upload(), await upload()];
  const renamed = await send(first, { action: "rename", name: "Mine" });
  expect((await browser.get(renamed.location.replace(web.url, ""))).body).toContain("The file is now called Mine.");
  await browser.submit(await browser.get(first.path), `${first.path}/delete`, {});
  await browser.submit(await browser.get("/harmonizations"), `${second.path}/delete`, {});
  const ids = [first.id, second.id];
  expect(await prisma.harmonization.count({ where: { id: { in: ids }, state: "deleting" } })).toBe(2);
});

test("the list has other people's runs under a separate heading, with their names", async () => {
  const data = { directory: deps.directoryUrl, externalId: "ada", firstName: "Ada" };
  const ada = await prisma.account.create({ data });
  const run = { directory: deps.directoryUrl, state: "ready" as const, createdAt: new Date("2026-03-04T08:41:00Z") };
  const files = [
    { accountId: ada.id, name: "theirs.csv", isShared: true },
    { accountId, name: "mine.csv" },
  ];
  for (const file of files) {
    const listId = await newList(prisma, { ...run, ...file });
    await prisma.harmonization.create({ data: { ...run, ...file, listId } });
  }
  const [own = "", others = ""] = (await browser.get("/harmonizations")).body.split("Shared with me");
  expect(own).toMatch(/mine\.csv.*4 Mar 2026.*Done/s);
  expect(others).toMatch(/theirs\.csv.*Shared by Ada: you review/s);
  expect(own + others).toContain("mine.csv");
  expect(others).not.toContain("mine.csv");
});
