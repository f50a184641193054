import { expect, it } from "vitest";
import { reserveProvider } from "../../../../src/directory/applications/providers.ts";
import { authHost, loggedIn } from "../auth-host.ts";
import { press, registered } from "./forms.ts";

const host = await authHost();
const { deps } = host;

it("an application's owner reserves provider ids, and releases those without annotations", async () => {
  const { id, ...user } = await host.user();
  const browser = await loggedIn(host, user);
  const { path, clientId } = await registered(browser);
  const reserve = (provider: string) => press(browser, path, "/providers", { provider });
  expect((await reserve(" walks-1 ")).body).toContain("walks-1 is now reserved for this application.");
  await reserve("walks-2");
  await reserveProvider(deps, "taken", (await host.application()).clientId);
  const taken = await reserve("taken");
  expect([taken.status, taken.body]).toEqual([
    409,
    expect.stringMatching(/provider-error">.*reserved for another application/),
  ]);
  const bad = await reserve("a b<i>");
  expect([bad.status, bad.body]).toEqual([400, expect.stringContaining('value="a b&lt;i&gt;"')]);
  await deps.pool.query(
    `INSERT INTO directory.venue (id, name, name_norm, lat, lng, point) VALUES ('v', 'V', 'v', 1, 1, point(1, 1))`,
  );
  await deps.prisma.link.create({ data: { providerId: "walks-1", linkedId: "1", venueId: "v", userId: id } });
  const release = async (provider: string) => (await press(browser, path, "/providers/release", { provider })).status;
  expect((await browser.get(path)).body).toMatch(/walks-1<\/dt>.*1 annotation.*walks-2<\/dt>.*No annotation/s);
  expect([await release("walks-1"), await release("taken"), await release("\0")]).toEqual([409, 404, 404]);
  expect(await release("walks-2")).toBe(200);
  expect(await deps.prisma.provider.findMany({ where: { clientId } })).toMatchObject([{ id: "walks-1" }]);
});
