import { describe, expect, it } from "vitest";
import { addUser, checkPassword, findUser } from "../../../../src/directory/users.ts";
import { formFields, type HttpClient } from "../../../support/http-client.ts";
import { authHost, authorizePath, decide } from "../auth-host.ts";

const closed = await authHost();
const operator = { names: ["Olga"], contact: undefined, newApplications: "enabled" as const, ownClient: undefined };
const host = await authHost({ signUp: true, operator, admins: ["Adam"] });
const { deps } = host;
const PASSWORD = "canary-password-1";

const signUp = async (browser: HttpClient, fields: Record<string, string>, path = "/sign-up") =>
  browser.submit(await browser.get(path), "/sign-up", fields);

describe("the sign-up", () => {
  it("is neither available nor mentioned unless it is enabled", async () => {
    const browser = closed.browser();
    const login = await browser.get("/login");
    expect(login.body).not.toContain("sign-up");
    const { _csrf = "" } = formFields(login, "/login");
    expect((await browser.get("/sign-up")).status).toBe(404);
    const fields = { handle: "sneaky", firstName: "S", password: PASSWORD, _csrf };
    expect((await browser.post("/sign-up", fields)).status).toBe(404);
    expect(await findUser(closed.deps, "sneaky")).toBeNull();
  });

  it("creates an account and logs in under a new session", async () => {
    const browser = host.browser();
    const page = await browser.get("/sign-up");
    const before = browser.cookies.get("samespot_directory");
    const fields = { handle: " Ada.L ", firstName: "Ada", lastName: "", email: "", password: PASSWORD };
    const answer = await browser.submit(page, "/sign-up", fields);
    expect([answer.status, answer.location]).toEqual([303, `${host.url}/settings`]);
    expect(browser.cookies.get("samespot_directory")).not.toBe(before);
    expect((await browser.get("/settings")).body).toContain("ada.l");
    expect(await checkPassword(deps, "ada.l", PASSWORD)).toMatchObject({
      firstName: "Ada",
      lastName: null,
      email: null,
    });
  });

  it("continues the application's waiting request, through consent and back", async () => {
    const { clientId } = await host.application();
    const browser = host.browser();
    const login = await browser.get(authorizePath(clientId, { state: "s" }));
    const [, path = ""] = /href="(\/sign-up\?request=\w+)"/.exec(login.body) ?? [];
    const page = await browser.get(path);
    expect(page.body).toContain("Map app");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://app.example;");
    const answer = await signUp(browser, { handle: "bob", firstName: "Bob", password: PASSWORD }, path);
    const consent = await browser.follow(answer);
    expect(consent.body).toContain("Logged in as <b>bob</b>");
    expect((await decide(browser, consent, "allow")).location).toMatch(/\?code=[\w-]+&state=s$/);
    expect((await browser.get(`/sign-up?request=${"0".repeat(24)}`)).body).toContain("This request is over");
  });

  it("shows each mistake beside its field, and keeps every entry but the password", async () => {
    const browser = host.browser();
    const typed = { handle: "a b", firstName: "", lastName: "L\u202e", email: "nobody<\"'", password: "short" };
    const answer = await signUp(browser, typed);
    expect(answer.status).toBe(400);
    for (const message of [
      "Username needs 2 to 30 letters, digits, dots, dashes or underscores",
      "First name is required",
      "Last name contains characters that cannot be stored",
      "E-mail must be an e-mail address",
      "Password needs at least 8 characters",
    ])
      expect(answer.body).toContain(`<span class="visually-hidden">Error:</span> ${message}`);
    const { handle, lastName, email, password } = formFields(answer, "/sign-up");
    expect({ handle, lastName, email, password }).toEqual({ ...typed, firstName: undefined, password: "" });
    expect(answer.body).not.toContain('nobody<"');
    expect(host.logs.text()).not.toContain("nobody<");
  });

  it.each([
    ["demo", "is reserved; choose another"],
    [" SameSpot ", "is reserved; choose another"],
    ["OLGA", "is reserved; choose another"],
    ["ADAM", "is reserved; choose another"],
    ["0123456789abcdef01234567", "must not be 24 digits or letters from a to f, because it would look like an id"],
    ["0123456789ABCDEF01234567", "must not be 24 digits or letters from a to f, because it would look like an id"],
  ])("W08: rejects the handle %s, by which settings may name a person", async (handle, words) => {
    const answer = await signUp(host.browser(), { handle, firstName: "Eve", password: PASSWORD });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(`Username ${words}`)]);
    expect(await findUser(deps, handle)).toBeNull();
  });

  it("W08: rejects a handle that looks like an id, as an operator's command does", async () => {
    const handle = "0123456789abcdef01234567";
    await expect(addUser(deps, { handle, password: PASSWORD })).rejects.toThrow("handle must not be 24 digits");
    for (const fine of [handle.slice(1), `${handle}0`, handle.replace("a", "g")])
      expect(await addUser(deps, { handle: fine, password: PASSWORD })).toMatchObject({ handle: fine });
  });

  it("reports a taken handle, and no detail of its owner", async () => {
    const user = await host.user();
    const browser = host.browser();
    const answer = await signUp(browser, { handle: user.handle.toUpperCase(), firstName: "Eve", password: PASSWORD });
    expect([answer.status, answer.body]).toEqual([409, expect.stringContaining("is taken. Choose another")]);
    expect(formFields(answer, "/sign-up")).toMatchObject({ firstName: "Eve", password: "" });
    expect((await browser.get("/settings")).location).toBe(`${host.url}/login`);
    expect((await checkPassword(deps, user.handle, user.password))?.id).toBe(user.id);
  });

  it("rejects a form of another session, keeps the entries, and continues when a successful form is repeated", async () => {
    const browser = host.browser();
    const page = await browser.get("/sign-up");
    const fields = { handle: "cleo", firstName: "Cleo", password: PASSWORD };
    const stale = await browser.post("/sign-up", { ...fields, _csrf: "old" });
    expect([stale.status, stale.body]).toEqual([403, expect.stringContaining("Send the form again.")]);
    expect(formFields(stale, "/sign-up")).toMatchObject({ handle: "cleo", firstName: "Cleo", password: "" });
    for (const text of [stale.body, host.logs.text()]) expect(text).not.toContain(PASSWORD);
    expect(await findUser(deps, "cleo")).toBeNull();
    expect((await browser.post("/sign-up", fields, { origin: "https://evil.example" })).status).toBe(403);

    expect((await browser.submit(page, "/sign-up", fields)).status).toBe(303);
    const again = await browser.submit(page, "/sign-up", fields);
    expect([again.status, again.location]).toEqual([303, `${host.url}/settings`]);
    expect(await deps.prisma.user.count({ where: { handle: "cleo" } })).toBe(1);
  });

  it("is limited after exactly twenty concurrent requests from one network, for any input, and not from another network", async () => {
    const user = await host.user();
    const open = async (handle: string) => {
      const browser = host.browser();
      const form = formFields(await browser.get("/sign-up"), "/sign-up");
      const fields = { ...form, handle, firstName: "N", password: PASSWORD };
      return (address: string) =>
        browser.post("/sign-up", fields, { "x-forwarded-for": address, "x-forwarded-proto": "https" });
    };
    const attempts = await Promise.all(Array.from({ length: 30 }, (_, n) => open(`crowd-${n % 18}`)));
    const statuses: number[] = [];
    // One network may have five passwords checked at once. The twentieth is neither the first nor the last of its
    // batch.
    for (const from of [0, 3, 8, 13, 18, 23, 28]) {
      const wave = attempts.slice(from, from === 0 ? 3 : from + 5);
      const answers = await Promise.all(wave.map((attempt) => attempt("203.0.113.50")));
      statuses.push(...answers.map(({ status }) => status));
    }
    const count = (...wanted: number[]) => statuses.filter((status) => wanted.includes(status)).length;
    expect([count(303, 409), count(429)]).toEqual([20, 10]);
    expect(await deps.prisma.user.count({ where: { handle: { startsWith: "crowd-" } } })).toBe(18);
    const refused = await (await open("late"))("203.0.113.50");
    expect(refused.body).toMatch(/Too many sign-ups from your network\. Try again in \d+ (minute|second)/);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(formFields(refused, "/sign-up").handle).toBe("late");
    expect((await (await open(user.handle))("203.0.113.51")).status).toBe(409);
  });
});
