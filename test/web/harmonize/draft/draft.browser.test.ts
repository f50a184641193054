import { afterAll, expect, test } from "vitest";
import { newTrial } from "../../../../src/harmonize/file/trial.ts";
import { newList } from "../../../../src/harmonize/run/lists.ts";
import { expectPresentable, launchBrowser, openPage, screenshot } from "../../../support/browser.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const { prisma } = web.database;
const browser = await launchBrowser();
afterAll(() => browser.close());

const CSV = `Store ID;Shop name;Breitengrad;Längengrad;Straße;Ort;Telefon;Bemerkungen, die niemand liest
17;Joe’s Pizza Palace;41,8236;-71,4222;12 Main Street;Providence;(401) 555-0100;
18;Café Ann with a name that goes on for longer than anybody would expect of it;41,83;-71,42;;Providence;;x
19;Bob’s;41,84;-171,4;3 High Street;Newport;401-555-0102;
${Array.from({ length: 200 }, (_, at) => `${at + 20};Shop ${at};41,83;-71,42;;Newport;;\n`).join("")}`;

const file = (buffer: Buffer, name = "Filialen 2026.csv") => ({ name, mimeType: "text/csv", buffer });

test("a file is uploaded, checked and started", async () => {
  await web.database.prisma.harmonization.deleteMany(); // of a first try
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=/harmonizations`);
  await page.getByRole("heading", { name: "No files yet" }).waitFor();
  await expectPresentable(page, "harmonize-empty");
  await page.getByLabel("File", { exact: true }).setInputFiles(file(Buffer.alloc(0)));
  await page.getByText("is empty").waitFor();
  await page.getByLabel("File", { exact: true }).setInputFiles(file(Buffer.from("504b030400", "hex")));
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByText("damaged or incomplete").waitFor();
  page.problems.length = 0; // the refusal is expected
  await page.getByLabel("File", { exact: true }).setInputFiles(file(Buffer.from(CSV)));
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByRole("heading", { name: "Filialen 2026.csv" }).waitFor();
  expect(await page.getByLabel("Shop name").inputValue()).toBe("name");
  await page.getByText("How the file is read").click();
  await page.getByRole("button", { name: "Match 203 rows" }).waitFor();
  await expectPresentable(page, "harmonize-draft");

  await page.getByRole("button", { name: "Try 200 rows" }).click();
  await page.getByText("Asking the directory").waitFor();
  await screenshot(page, "harmonize-trying");
  const example = { line: 3, name: "Joe’s Pizza Palace", venue: "Joe's Pizza", score: 0.61 };
  const reasons = ["names similar except “palace”", "37 m apart"];
  const examples = (["matched", "review"] as const).map((outcome) => ({ ...example, outcome, reasons }));
  const counts = { matched: 158, review: 26, none: 12, failed: 4 };
  await prisma.harmonization.updateMany({
    data: { trial: { ...newTrial(), state: "done", total: 200, done: 200, counts, examples } },
  });
  await page.getByText("Results for 200 rows").waitFor();
  await page.getByText("Examples").first().click();
  await expectPresentable(page, "harmonize-tried");

  await page.getByLabel("Shop name").selectOption("");
  await page.getByRole("button", { name: /^Match / }).click();
  await page.getByRole("heading", { name: "There is a problem" }).waitFor();
  await expectPresentable(page, "harmonize-refused");
  await page.getByLabel("Shop name").selectOption("name");
  await page.getByRole("button", { name: /^Match / }).click();
  await expect.poll(async () => (await prisma.harmonization.findFirst())?.state).toBe("reading");
});

test("a file is uploaded, checked and started without script", async () => {
  const page = await openPage(browser, { javaScript: false });
  await page.goto(`${web.url}/login?next=/harmonizations`);
  await page.getByText("Paste rows instead").click();
  await page.getByLabel("Rows").fill("name\tcity\nJoe\tProvidence\nAnn\tNewport\n");
  await page.getByRole("button", { name: "Use these rows" }).click();
  await page.getByRole("heading", { name: "Pasted list" }).waitFor();
  expect(await page.locator(".draft-actions").getByRole("button").allTextContents()).toEqual(["Match 2 rows", "Save"]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The columns are saved").waitFor();
  await page.goto(`${web.url}/harmonizations`);
  await page.getByRole("link", { name: "Pasted list" }).waitFor();
});

test("the list shows the state of each run", async () => {
  const { id: accountId } = await prisma.account.findFirstOrThrow();
  const states = ["reading", "matching", "adding", "ready", "cancelled"] as const;
  const directory = web.config.api.url;
  const listId = await newList(prisma, { directory, accountId, name: "many.csv" });
  const data = states.map((state, index) => ({
    ...{ directory, accountId, listId, name: `${"long-name-".repeat(index * 4)}${state}.csv`, state },
    ...{ listingCount: index * 1234, isShared: index === 3, pausedFor: index === 1 ? ("person" as const) : null },
  }));
  await prisma.harmonization.createMany({ data });
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=/harmonizations`);
  for (const words of ["Reading", "Paused", "Adding venues", "Done", "Cancelled", "3,702 rows · "])
    await page.getByText(words, { exact: false }).first().waitFor();
  await expectPresentable(page, "harmonize-runs");
});
