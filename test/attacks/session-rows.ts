import { expect } from "vitest";
import { sha256 } from "../../src/shared/crypto.ts";
import type { HttpClient } from "../support/http-client.ts";
import { sessionOf, type startWeb } from "../web/web-app.ts";

export const cookieOf = (browser: HttpClient): string => sessionOf(browser) ?? "";
export const idOf = (cookie: string): string => decodeURIComponent(cookie).split(".")[0] ?? "";
/** Hash of the id, as stored. */
export const hashOf = (cookie: string) => Buffer.from(sha256(idOf(cookie)));

/** Results of `isKnown`, and `rowOf` for an ended session. */
export const [YES, NO] = [
  [true, true],
  [false, false],
];
export const ENDED = { ended: true, data: {} };

/** Inspects sessions of two instances, and their rows, by cookie. */
export function sessionRows(web: Awaited<ReturnType<typeof startWeb>>) {
  const { pool } = web.database;

  /** Returns whether each instance accepts the cookie as a member's. */
  async function isKnown(cookies: string): Promise<boolean[]> {
    const known = [];
    for (const instance of [0, 1]) {
      web.sendTo(instance);
      const { status, headers } = await fetch(`${web.url}/settings`, {
        redirect: "manual",
        headers: { cookie: cookies },
      });
      expect([cookies.slice(0, 100), status]).toEqual([cookies.slice(0, 100), expect.toBeOneOf([200, 303])]);
      if (status === 303) expect(headers.get("location")).toBe("/login?next=%2Fsettings");
      known.push(status === 200);
    }
    web.sendTo();
    return known;
  }

  return {
    isKnown,
    isAlive: (cookie: string) => isKnown(`samespot=${cookie}`),
    async rowOf(cookie: string) {
      const text = "SELECT ended_at IS NOT NULL AS ended, data FROM app.session WHERE id_hash = $1";
      return (await pool.query(text, [hashOf(cookie)])).rows[0];
    },
    change: (cookie: string, column: string, to: string) =>
      pool.query(`UPDATE app.session SET ${column} = ${to} WHERE id_hash = $1`, [hashOf(cookie)]),
  };
}
