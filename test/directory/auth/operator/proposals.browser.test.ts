import { afterAll, expect, it } from "vitest";
import { propose } from "../../../../src/directory/proposals/propose.ts";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { addHeld, addVenue, operatorHost } from "./host.ts";

const host = await operatorHost();
const browser = await launchBrowser();
afterAll(() => browser.close());

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunter";

it.each([true, false])(
  "an operator decides proposals and edits a venue in Chrome, with script: %s",
  async (javaScript) => {
    await host.deps.prisma.venueProposal.deleteMany();
    await host.newOperator();
    const ids = [
      await addVenue(host, LONG),
      await addVenue(host, "Harbor Books"),
      await addVenue(host, "Harbour Books"),
    ];
    const [long = "", one = "", other = ""] = ids;
    const by = { userId: (await host.user()).id, clientId: "other", isOperator: false };
    const rest = { was: undefined, comment: `${LONG} moved` };
    await propose(
      host.deps,
      { ...rest, id: long, wanted: { name: `${LONG}er`, ll: "41.82,-71.41" }, into: undefined },
      by,
    );
    await propose(host.deps, { ...rest, id: one, wanted: {}, into: other, comment: undefined }, by);
    await addHeld(host, `${LONG} Books`);
    await addHeld(host, "The Harbor Books");
    const page = await openPage(browser, { width: 1280, javaScript });
    const look = async (name: string) => void (javaScript && (await expectPresentable(page, `proposals-${name}`)));
    await page.goto(`${host.url}/login`);
    await page.getByLabel("Username").fill(host.asOperator.handle);
    await page.getByLabel("Password").fill(host.asOperator.password);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.goto(`${host.url}/operator/proposals`);
    await page.getByRole("heading", { name: "Proposals" }).waitFor();
    await look("queue");
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await page.getByLabel("Note to the proposer").fill(`Thank you, ${LONG}`);
    await page.getByRole("button", { name: "Accept all selected" }).click();
    await page.getByText("4 proposals accepted.").waitFor();
    await look("decided");
    await page.getByRole("link", { name: "Harbour Books" }).first().click();
    await page.getByText("Changes of these venues").waitFor();
    await look("venue");
    await page.getByRole("link", { name: "Edit, move or close" }).click();
    await look("edit");
    await page.getByLabel("Name", { exact: true }).fill("Harbour Bookshop");
    if (!(await page.getByLabel("Phone (optional)").isVisible())) await page.getByText("More details").click();
    await page.getByLabel("Phone (optional)").fill("none");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("There is a problem").waitFor();
    await look("edit-wrong");
    await page.getByLabel("Phone (optional)").fill("+1 401 555 0100");
    await page.getByLabel("Closed for good").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed. The earlier values are below.").waitFor();
    expect(await host.deps.prisma.venue.findUnique({ where: { id: other } })).toMatchObject({
      name: "Harbour Bookshop",
    });
  },
);
