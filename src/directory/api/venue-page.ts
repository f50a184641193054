import type { FastifyInstance } from "fastify";
import { registerAssets } from "../../http/assets.ts";
import { contentSecurityPolicy } from "../../http/headers.ts";
import { errorPages } from "../../http/pages.ts";
import { registerViews } from "../../http/views.ts";
import { notFound } from "../../shared/errors.ts";
import { categoryPath } from "../categories/tree.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { ROOT_02, ROOT_10 } from "../reconcile/manifest.ts";
import { findVenues, VENUE_ID } from "../venues/find.ts";
import { nearestVenues } from "../venues/nearest.ts";
import { addressOf, venuePage } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";

/** Dots on the map that help to find one's way. */
const AROUND = 30;

/**
 * Pages for people on the API host: a venue's own (`canonicalUrl`), and the previews of the reconciliation service, which
 * other sites show in a frame. Open to all, like what they show.
 */
export async function registerVenuePages(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const home = deps.config.auth.url;
  await app.register(async (pages) => {
    await registerAssets(pages);
    await registerViews(pages, { production: true, defaults: { nav: "directory", home } });
    pages.setErrorHandler(errorPages("directory", { action: { href: home, label: "Go to the start page" } }));

    pages.get<{ Params: { id: string } }>("/venues/:id", async ({ params }, reply) => {
      const venue = await venueWithId(deps, params.id);
      const around = await nearestVenues(deps.pool, { center: venue }, AROUND);
      const map = { points: [venue], around: around.filter(({ id }) => id !== venue.id), zoom: 16 };
      return reply.view("directory/venue", { title: venue.name, ...shown(venue, deps), map }, { layout: "layout" });
    });

    for (const root of [ROOT_02, ROOT_10]) {
      pages.get<{ Querystring: { id?: unknown } }>(`${root}/preview`, async ({ query }, reply) => {
        reply.header("content-security-policy", contentSecurityPolicy({ frameAncestors: "*" }));
        reply.removeHeader("x-frame-options");
        const venue = await venueWithId(deps, query.id);
        return reply.view("directory/preview", { title: venue.name, ...shown(venue, deps) });
      });
    }
  });
}

async function venueWithId({ pool }: ApiDeps, id: unknown): Promise<VenueRow> {
  const venue = typeof id === "string" && VENUE_ID.test(id) ? (await findVenues(pool, [id])).get(id) : undefined;
  if (venue) return venue;
  throw notFound("The directory has no venue with this id. It may have been removed.");
}

/** What a page says of a venue: facts for a preview as well, more for its own page. */
function shown(venue: VenueRow, { config }: ApiDeps) {
  const { phone, url, twitter, lat, lng, checkinsCount } = venue;
  const path = categoryPath(venue.categoryId ?? "");
  return {
    venue,
    page: venuePage(venue.id, config.api.url),
    category: path.map(({ name }) => name).join(" › "),
    icon: path.at(-1)?.icon ?? "landmark",
    facts: given([
      { label: "Address", value: addressOf(venue).join(", ") },
      { label: "Phone", value: phone },
      { label: "Website", value: url?.replace(/^https?:\/\/|\/$/gi, ""), href: url },
      { label: "Position", value: `${lat.toFixed(5)}, ${lng.toFixed(5)}` },
    ]),
    more: given([
      { label: "Twitter", value: twitter && `@${twitter}` },
      { label: "Check-ins", value: checkinsCount ? checkinsCount.toLocaleString("en") : null },
    ]),
  };
}

const given = <T extends { value: string | null | undefined }>(facts: T[]): T[] => facts.filter(({ value }) => value);
