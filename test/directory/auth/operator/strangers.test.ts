import { describe, expect, test } from "vitest";
import { formFields } from "../../../support/http-client.ts";
import { registered } from "../applications/forms.ts";
import { LIST, operatorHost, pageOf } from "./host.ts";

const host = await operatorHost();
const { deps, newOperator, newDeveloper, snapshot } = host;

describe("a user who is not an operator", () => {
  test("B39: finds no operator page and changes nothing, as owner of the application or not", async () => {
    const developer = await newDeveloper();
    const { clientId } = await registered(developer);
    const other = await newDeveloper();
    const before = await snapshot();
    for (const browser of [developer, other]) {
      const { _csrf = "" } = formFields(await browser.get("/applications/new"), "/applications");
      const answers = [
        await browser.get("/operator"),
        await browser.get(LIST),
        await browser.get(pageOf(clientId)),
        await browser.get("/operator/venues"),
        await browser.get("/operator/duplicates"),
        await browser.get("/operator/venues/edit?id=a"),
        await browser.get("/operator/proposals"),
        await browser.get("/operator/demo"),
      ];
      answers.push(await browser.post(`${pageOf(clientId)}/access`, { _csrf, access: "enabled", before: "reading" }));
      answers.push(await browser.post("/operator/venues/merge", { _csrf, id: "a", into: "b" }));
      answers.push(await browser.post("/operator/venues/edit", { _csrf, id: "a", name: "b" }));
      answers.push(await browser.post("/operator/proposals", { _csrf, accept: "1" }));
      answers.push(await browser.post("/operator/changes/1/revert", { _csrf }));
      answers.push(await browser.post("/operator/duplicates", { _csrf, merge: "a b" }));
      answers.push(await browser.post("/operator/duplicates/1/undo", { _csrf }));
      answers.push(await browser.post("/operator/demo", { _csrf, confirm: "1" }));
      expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(404));
      expect((await browser.get("/applications")).body).not.toContain(LIST);
    }
    expect(await snapshot()).toBe(before);
  });

  test("B39: is sent to the log-in as a guest, and then to the page", async () => {
    const browser = host.browser();
    const page = await browser.follow(await browser.get(LIST));
    await newOperator();
    const answer = await browser.submit(page, "/login", host.asOperator);
    expect(answer.location).toBe(host.url + LIST);
    const { clientId } = await host.application();
    const before = await snapshot();
    const guest = host.browser();
    const { _csrf = "" } = formFields(await guest.get("/login"), "/login");
    const posted = await guest.post(`${pageOf(clientId)}/access`, { _csrf, access: "stopped", before: "enabled" });
    expect([posted.status, posted.location]).toEqual([303, `${host.url}/login`]);
    expect(await snapshot()).toBe(before);
  });

  test("B39: can send requests for own applications only, one at a time", async () => {
    const [developer, other] = [await newDeveloper(), await newDeveloper()];
    const { clientId, path, page } = await registered(developer);
    const { _csrf = "" } = formFields(await other.get("/applications/new"), "/applications");
    expect((await other.post(`${path}/requests`, { _csrf, why: "mine now" })).status).toBe(404);
    const ask = () => developer.submit(page, `${path}/requests`, { why: "For <b>maps</b>" });
    const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, 409, 409]);
    expect(await deps.prisma.accessEvent.count({ where: { clientId } })).toBe(1);
    const refused = await developer.submit(page, `${path}/requests`, { why: "x".repeat(301) });
    expect([refused.status, refused.body.includes("at most 300 characters")]).toEqual([400, true]);
  });
});

test.each([
  ["no token", (fields: Record<string, string>) => ({ ...fields, _csrf: "" }), {}],
  ["another session's token", (fields: Record<string, string>, foreign: string) => ({ ...fields, _csrf: foreign }), {}],
  ["another origin", (fields: Record<string, string>) => fields, { origin: "http://evil.example" }],
  ["a null origin", (fields: Record<string, string>) => fields, { origin: "null" }],
  ["another site", (fields: Record<string, string>) => fields, { "sec-fetch-site": "cross-site" }],
])(
  "W01: the operators' decision forms and the owners' request forms are rejected with %s",
  async (_kind, change, headers) => {
    const browser = await newOperator();
    const developer = await newDeveloper();
    const { page, path, clientId } = await registered(developer);
    const decision = formFields(await browser.get(pageOf(clientId)), `${pageOf(clientId)}/access`);
    const request = formFields(page, `${path}/requests`);
    const before = await snapshot();
    const foreign = { theirs: decision._csrf ?? "", olgas: request._csrf ?? "" };
    const sent = change({ ...decision, access: "stopped", why: "" }, foreign.olgas);
    const answers = [await browser.post(`${pageOf(clientId)}/access`, sent, headers)];
    answers.push(await developer.post(`${path}/requests`, change({ ...request, why: "" }, foreign.theirs), headers));
    expect([answers.map(({ status }) => status), await snapshot()]).toEqual([[403, 403], before]);
  },
);
