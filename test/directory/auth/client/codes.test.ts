import { describe, expect, it } from "vitest";
import { findToken } from "../../../../src/directory/tokens.ts";
import { authHost, codeFor, exchange, loggedIn } from "../auth-host.ts";

const host = await authHost();

const isAlive = async (token: string | undefined) => (await findToken(host.deps, token ?? "")) !== undefined;

describe("an authorization code", () => {
  it("is accepted in one of sixteen concurrent exchanges", async () => {
    const application = await host.application();
    const browser = await loggedIn(host, await host.user());
    for (let round = 0; round < 10; round += 1) {
      const code = await codeFor(browser, application.clientId);
      const answers = await Promise.all(Array.from({ length: 16 }, () => exchange(host, application, code)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.error === "invalid_grant")).toHaveLength(15);
      const token = answers.find(({ status }) => status === 200)?.body.access_token;
      expect(await isAlive(token)).toBe(false);
    }
  });

  it("yields no token after its user was disabled", async () => {
    const [user, application] = [await host.user(), await host.application()];
    const code = await codeFor(await loggedIn(host, user), application.clientId);
    await host.deps.prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } });
    expect((await exchange(host, application, code)).body.error).toBe("invalid_grant");
    expect(await host.deps.prisma.authorization.count({ where: { userId: user.id, NOT: { tokenSealed: null } } })).toBe(
      0,
    );
  });
});
