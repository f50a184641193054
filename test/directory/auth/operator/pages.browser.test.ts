import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, it } from "vitest";
import { launchBrowser, lookAt, openPage } from "../../../support/browser.ts";
import { authHost } from "../auth-host.ts";
import { addVenue } from "./host.ts";

const operator = {
  ...{ names: [] as string[], contact: "help@directory.example" },
  ...{ newApplications: "reading" as const, ownClient: undefined },
};
const host = await authHost({ operator });
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function logIn(page: Page, { handle, password }: { handle: string; password: string }) {
  await page.getByLabel("Username").fill(handle);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

it.each([true, false])(
  "an operator answers a request and stops an application, with script: %j",
  async (javaScript) => {
    const page = await openPage(browser, { width: 360, javaScript });
    const look = lookAt(page, "operator", javaScript);
    const user = await host.user();
    operator.names.push(user.handle);
    const name = `Weekend walks of ${user.handle}`;
    const { clientId } = await host.application({ name, ownerId: user.id, access: "reading" });
    await host.application({ name: "A second application with quite a long name, as some have", access: "stopped" });

    await page.goto(`${host.url}/applications/${clientId}`);
    await logIn(page, user);
    await page.getByText("but not match, add or annotate venues").waitFor();
    await look("owner");
    await page.getByLabel("What do you need access for?").fill("We match our list of walks.");
    await page.getByRole("button", { name: "Request access" }).click();
    await page.getByText("You have asked the operators").waitFor();
    await look("owner-asked");

    await page.getByRole("link", { name: "Operator", exact: true }).click();
    await page.getByText("1 asks for more access").waitFor();
    await look("overview");
    await page.getByRole("link", { name: "All applications" }).click();
    await page.getByText("Asks for more").first().waitFor();
    await look("list");
    await page.getByRole("link", { name }).click();
    await look("one");
    await page.getByLabel("Everything").check();
    await page.getByLabel("Why").fill("Walks are welcome.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Enabled. The application may now do everything.").waitFor();
    await look("enabled");
    await page.getByLabel("Nothing").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Stopped. The directory now refuses all of its calls").waitFor();

    const [duplicate, other] = [
      await addVenue(host, "Corner Café"),
      await addVenue(host, "The Corner Café of a Long Name"),
    ];
    await page.goto(`${host.url}/operator`);
    await page.getByRole("link", { name: "Venues", exact: true }).first().click();
    await page.getByLabel("Venue (name, link or id)").fill(duplicate);
    await page.getByLabel("Merge into").fill(other);
    await page.getByRole("button", { name: "Look up" }).click();
    await page.getByText("Side by side").waitFor();
    await look("venues");
    await page.getByRole("button", { name: "Merge the duplicate" }).click();
    await page.getByText("Merged. The old id leads").waitFor();
    await look("venues-merged");
    await page.getByRole("button", { name: "Revert" }).first().click();
    await page.getByText("Reverted. The venue is as it was before").waitFor();
    await page.goto(`${host.url}/operator/applications/${clientId}`);

    await host.deps.pool.query("UPDATE directory.session SET created_at = now() - interval '11 minutes'");
    await page.reload();
    await look("log-in-again");
    await page.getByRole("link", { name: "Log in again" }).click();
    await logIn(page, user);
    await page.getByRole("button", { name: "Save" }).waitFor();

    const query = { client_id: clientId, response_type: "code", redirect_uri: "https://app.example/callback" };
    await page.goto(`${host.url}/oauth2/authenticate?${new URLSearchParams(query)}`);
    await page.getByRole("heading", { name: "This application is stopped" }).waitFor();
    await look("stopped-page");
  },
);
