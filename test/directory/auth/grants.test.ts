import { expect, test } from "vitest";
import { GRANTS } from "../../../src/directory/auth/authorization-request.ts";
import { runningDirectory } from "../../attacks/running-directory.ts";
import { openApi } from "../docs/openapi.ts";
import { authHost, authorizePath, loggedIn, logIn } from "./auth-host.ts";

const operator = {
  names: [] as string[],
  contact: undefined,
  newApplications: "enabled" as const,
  ownClient: undefined,
};
const host = await authHost({ operator });
const directory = await runningDirectory();

test("the consent page names everything that an application can do with a user's token", async () => {
  const { paths } = openApi.parse(await (await fetch(`${directory.api}/docs/openapi.json`)).json());
  const needsUser = (operation: { security?: object[] | undefined } | undefined) => {
    const ways = (operation?.security ?? []).flatMap((way) => Object.keys(way));
    return ways.includes("oauth_token") && !ways.includes("client_id");
  };
  const ofUsers = Object.entries(paths).flatMap(([path, { get, post }]) =>
    [get, post].some(needsUser) && !path.endsWith("/lines") ? [path.replaceAll(/\{(\w+)\}/g, ":$1")] : [],
  );
  expect(GRANTS.flatMap(({ paths }) => paths).sort()).toEqual(ofUsers.sort());
  const { clientId } = await host.application();
  const { body } = await (await loggedIn(host, await host.user())).get(authorizePath(clientId));
  const shown = GRANTS.filter(({ isForOperators }) => !isForOperators).map(({ words }) => `<span>${words()}</span>`);
  expect(shown.length).toBeGreaterThan(4);
  for (const words of shown) expect(body).toContain(words);
  expect(body).not.toContain("because you operate the directory");
});

test("the consent page names the rights of operators to operators, if the application is an operator's too", async () => {
  const user = await host.user();
  operator.names.push(user.handle);
  const browser = await loggedIn(host, user);
  for (const [ownerId, isNamed] of [
    [(await host.user()).id, false],
    [user.id, true],
  ] as const) {
    const { clientId } = await host.application({ ownerId });
    const { body } = await browser.get(authorizePath(clientId));
    expect(body.includes("Edit and merge all venues")).toBe(isNamed);
  }
});

test("the rights of operators are named to one who logs in for an operator's application", async () => {
  const user = await host.user();
  operator.names.push(user.handle);
  const { clientId } = await host.application({ ownerId: user.id });
  const browser = host.browser();
  const login = await browser.get(authorizePath(clientId));
  const { body } = await logIn(browser, login, user);
  expect(body).toContain("Edit and merge all venues");
});
