import { beforeAll, describe, expect, it } from "vitest";
import type { HttpClient } from "../../../support/http-client.ts";
import { authHost, authorizePath, CALLBACK, codeFor, loggedIn } from "../auth-host.ts";
import { press, register, registered } from "./forms.ts";

const host = await authHost();
const developer = async () => loggedIn(host, await host.user());

/** A developer with an application that must not change. */
let browser: HttpClient;
let path: string;
let clientId: string;
beforeAll(async () => {
  browser = await developer();
  ({ path, clientId } = await registered(browser));
});
const stored = () => host.deps.prisma.application.findMany({ where: { owner: { handle: "user-1" } } });

describe("the redirect URIs of an application", () => {
  it("are rejected when there are more than twenty or none", async () => {
    const many = Array.from({ length: 21 }, (_, index) => `https://app.example/${index}`).join("\n");
    for (const redirectUris of ["", " \n ", many]) {
      const refused = await register(browser, { redirectUris });
      expect([refused.status, refused.body]).toEqual([400, expect.stringContaining("needs 1 to 20 redirect URIs")]);
    }
  });
});

describe("B27: the name of an application", () => {
  const SCRIPT = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;

  it("is shown as text on every page when it contains markup", async () => {
    const [owner, user] = [await developer(), await developer()];
    const added = await registered(owner, { name: SCRIPT });
    const consent = await user.get(authorizePath(added.clientId));
    await codeFor(user, added.clientId);
    const wrong = await press(owner, added.path, "/delete", { name: SCRIPT.slice(0, -1) });
    const pages = [
      added.page,
      await owner.get("/applications"),
      consent,
      await user.get("/settings"),
      wrong,
      await press(owner, added.path, "/delete", { name: SCRIPT }),
    ];
    for (const { body } of pages) {
      expect(body).toContain("&lt;script&gt;alert(1)");
      expect(body).not.toMatch(/<script>|<img src=x/);
    }
  });

  it.each([
    ["with a right-to-left override", "evil\u202egpj", "contains characters that cannot be stored"],
    ["of 10 KB", `${SCRIPT}${"n".repeat(10_240)}`, "may have at most 100 characters"],
    ["with a NUL", "a\u0000b", "contains characters that cannot be stored"],
    ["of invisible characters", "\u3164\u200b", "must hold a letter or a digit"],
    ["of punctuation only", "***", "must hold a letter or a digit"],
  ])("%s is rejected, and is shown again as text", async (_kind, name, why) => {
    const answers = [
      await register(browser, { name }),
      await press(browser, path, "", { name, redirectUris: CALLBACK }),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([400, expect.stringMatching(new RegExp(`id="name-error">.*${why}`))]);
      expect(body).not.toMatch(/<script>|<img src=x/);
      expect(body).toContain(name.slice(-2));
    }
    expect(await stored()).toMatchObject([{ clientId, name: "Weekend walks" }]);
  });
});
