import { expect, test } from "vitest";
import { makeHarmonization } from "../../harmonize/rows.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const { prisma } = web.database;

test("W81: a file says on its page and in the list when it is to be deleted, until somebody changes or downloads it", async () => {
  const browser = await web.logIn();
  const { id: account } = await prisma.account.findFirstOrThrow();
  const about = { directory: web.directory.baseUrl, expiresAt: new Date("2031-05-06T12:00:00Z") };
  const { id } = await makeHarmonization(web.database, account, [{ name: "A" }], about);
  const page = `/harmonizations/${id}`;
  const says = async (path: string) => /will be deleted [^<]*2031/.test((await browser.get(path)).body);
  const uses = [
    async () => browser.submit(await browser.get(page), `${page}/rename`, { name: "B" }),
    () => browser.get(`${page}/export?format=csv`),
  ];
  for (const use of uses) {
    await prisma.harmonization.update({ where: { id }, data: about });
    for (let look = 0; look < 2; look++)
      expect([await says("/harmonizations"), await says(page)], "a look is no use").toEqual([true, true]);
    await use();
    expect([await says("/harmonizations"), await says(page)]).toEqual([false, false]);
  }
});
