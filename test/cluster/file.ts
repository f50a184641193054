import { setTimeout as after } from "node:timers/promises";
import type pg from "pg";
import { throughDirectory } from "../attacks/running-apps.ts";
import { createHttpClient, formFields } from "../support/http-client.ts";

export const NEW = 300;

/** Makes a CSV of venues that the directory has, each several times, and NEW places that it does not have. */
export async function makeFile(client: pg.Client, rows: number): Promise<string> {
  const { rows: known } = await client.query<{ name: string; lat: number; lng: number }>(
    `SELECT name, lat, lng FROM directory.venue WHERE name !~ '[",]' ORDER BY id LIMIT $1`,
    [rows - NEW],
  );
  const lines = Array.from({ length: rows - NEW }, (_, at) => known[at % known.length]).map(
    (each, at) => `${at},${each?.name},${each?.lat},${each?.lng}`,
  );
  for (let at = 0; at < NEW; at++) lines.push(`new ${at},${newName(at)},${-60 + at / 20},-150`);
  return `id,name,lat,lng\n${lines.join("\n")}\n`;
}

export const newName = (at: number): string => `Place of the cluster number ${at}`;

/** A member who uploads a file and presses its buttons until they work. */
export async function member(webUrl: string, authUrl: string, who: { handle: string; password: string }) {
  const browser = createHttpClient(webUrl);
  const start = await browser.get("/login");
  await browser.get(await throughDirectory(createHttpClient(authUrl), start.location, who));
  const { _csrf = "" } = formFields(await browser.get("/harmonizations"), "/harmonizations");
  return {
    async upload(csv: string): Promise<string> {
      const form = new FormData();
      form.set("_csrf", _csrf);
      form.set("file", new Blob([csv]), "cluster.csv");
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = { origin: webUrl, cookie };
      const reply = await fetch(`${webUrl}/harmonizations`, {
        method: "POST",
        body: form,
        headers,
        redirect: "manual",
      });
      const id = reply.headers.get("location")?.split("/").at(-1);
      if (reply.status !== 303 || !id) throw new Error(`The upload returned ${reply.status}.`);
      return id;
    },
    async press(action: string, fields: Record<string, string> = {}): Promise<void> {
      for (;;) {
        const status = await browser.post(action, { _csrf, ...fields }).then(
          (page) => page.status,
          () => 503,
        );
        if (status === 303) return;
        if (status < 500) throw new Error(`${action} returned ${status}.`);
        await after(200);
      }
    },
  };
}
