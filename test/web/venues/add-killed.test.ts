import { expect, test } from "vitest";
import { startWeb } from "../web-app.ts";

/** The write that records the add loses its connection, as if the process were killed after the directory's answer. */
const DEADLY = `
  CREATE FUNCTION app.die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_terminate_backend(pg_backend_pid());
    RETURN NEW;
  END $$;
  CREATE TRIGGER die BEFORE UPDATE ON app.venue_add FOR EACH ROW WHEN (NEW.venue_id IS NOT NULL) EXECUTE FUNCTION app.die()`;

/** Two, because an app caches what its directory offers. */
const [knowing, plain] = await Promise.all([startWeb(), startWeb()]);
knowing.directory.offerKeys();

test.each([
  ["that honours keys", knowing],
  ["without keys", plain],
])(
  "F01: an add by form that is killed after the answer of a directory %s adds one venue, and its sender is told",
  async (_, web) => {
    const { pool } = web.database;
    const browser = await web.logIn();
    const name = "Zzyvanterra Loft";
    const typed = { name, ll: "41.8300, -71.41", primaryCategoryId: "fa4e000000000000000000c1", url: "example.org" };
    const form = await browser.get("/venues/new");
    await pool.query(DEADLY);
    const killed = await browser.submit(form, "/venues", typed);
    expect([killed.status >= 500, web.directory.venuesNamed(name)]).toEqual([true, 1]);
    await pool.query("DROP TRIGGER die ON app.venue_add");
    await pool.query(
      "UPDATE app.venue_add SET adding = adding || jsonb_build_object('since', now() - interval '1 minute')",
    );

    const told = await browser.get("/venues/new");
    expect(told.body).toContain(`Adding “${name}” was interrupted.`);
    const [, link = ""] = /href="([^"]+)">Open its form/.exec(told.body) ?? [];
    const { pathname, search } = new URL(link);
    const reply = await browser.submit(await browser.get(pathname + search), "/venues");
    expect(reply.status).toBe(303);
    const page = await browser.follow(reply);
    expect(page.body).toContain("Added.");
    expect(page.body).toContain(`<h1><bdi>${name}</bdi></h1>`);

    const again = await browser.submit(form, "/venues", typed);
    expect([again.status, again.location]).toEqual([303, reply.location]);
    expect(web.directory.venuesNamed(name)).toBe(1);
    const { rows } = await pool.query("SELECT adding, venue_name FROM app.venue_add");
    expect(rows).toEqual([{ adding: null, venue_name: name }]);
    expect((await browser.get("/venues/new")).body).not.toContain("was interrupted");
  },
);
