import type { FastifyReply, FastifyRequest } from "fastify";
import { type Db, prepared, queryRows } from "../../db/sql.ts";
import { unlessUnavailable } from "../../db/unavailable.ts";
import { csrfToken } from "../../http/pages/forms.ts";
import { sendView } from "../../http/pages/views.ts";
import { countryInWords } from "../../language/names.ts";
import { t } from "../../language/translate.ts";
import { demoNote } from "../sample/remove.ts";
import { type AuthDeps, signedInUser } from "./base/session.ts";

/** The start page for everyone: what the directory has, and who runs it. */
export async function showHome(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply) {
  const user = await signedInUser(deps, request);
  return sendView(reply, "directory/home", {
    title: t("Welcome"),
    user,
    csrf: user && csrfToken(reply),
    path: "/",
    demo: await demoNote(deps, user),
    hasSearch: deps.config.publicSearch,
    size: await sizeInWords(deps).catch(unlessUnavailable),
    contact: contactOf(deps),
    docs: `${deps.config.api.url}/docs`,
  });
}

/** Counts the venues with a country, as they were when the places were last gathered: counting all would take too long. */
async function sizeInWords(db: Db): Promise<string | undefined> {
  const rows = await queryRows<{ name: string; venues: number }>(prepared(db))`
    SELECT name, venues FROM directory.place WHERE kind = 'country' ORDER BY venues DESC`;
  const [largest] = rows;
  if (!largest) return undefined;
  return t("{venues, number} venues · {countries, plural, one {{country}} other {# countries}}", {
    venues: rows.reduce((sum, row) => sum + row.venues, 0),
    countries: rows.length,
    country: countryInWords(largest.name),
  });
}

function contactOf({ operator }: AuthDeps) {
  const contact = operator?.contact;
  return contact ? { href: URL.canParse(contact) ? contact : `mailto:${contact}`, text: contact } : undefined;
}
