import type { FastifyInstance } from "fastify";
import { registerAssets } from "../../http/files/assets.ts";
import { registerBasemap } from "../../http/files/basemap.ts";
import { contentSecurityPolicy } from "../../http/headers.ts";
import { registerLanguages } from "../../http/pages/languages.ts";
import { errorPages } from "../../http/pages/pages.ts";
import { mapOf } from "../../http/pages/parts.ts";
import { positionInWords } from "../../http/pages/venue-form.ts";
import { registerViews, sendFrame, sendView } from "../../http/pages/views.ts";
import { formatNumber } from "../../language/format.ts";
import { addressInWords, categoryName } from "../../language/names.ts";
import { t } from "../../language/translate.ts";
import { notFound } from "../../shared/errors.ts";
import { categoryPath } from "../categories/tree.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { sendPageTile } from "../map/page-tiles.ts";
import { ROOT_02, ROOT_10 } from "../reconcile/endpoints.ts";
import { sourcesOf } from "../sources.ts";
import { deletedAmong, findVenues, VENUE_ID } from "../venues/find.ts";
import { nearestVenues } from "../venues/nearest.ts";
import { alsoKnownAs } from "../venues/other-names.ts";
import { addressOf, venuePage } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";

/** Other venues shown on the map for orientation. */
const AROUND = 30;

/** Registers the pages of venues (`canonicalUrl`) and the previews that reconciliation clients show in a frame. */
export async function registerVenuePages(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const home = deps.config.auth.url;
  await app.register(async (pages) => {
    await registerAssets(pages);
    await registerBasemap(pages, deps.config.basemap);
    const defaults = {
      nav: "directory",
      home,
      mapTiles: undefined,
      basemap: deps.config.basemap,
      streets: deps.config.publicSearch,
      isSample: false,
      signUp: false,
    } as const;
    registerLanguages(pages, deps.config.languages);
    await registerViews(pages, { production: true, defaults });
    pages.setErrorHandler(errorPages("directory", deps.config.languages, { home }));

    pages.get<{ Params: { id: string } }>("/venues/:id", async ({ params }, reply) => {
      const venue = await venueWithId(deps, params.id);
      if (venue.id !== params.id) return reply.redirect(venuePage(venue.id, deps.config.api.url), 301); // merged into it
      const around = await nearestVenues(deps.replicas.reader(), { center: venue }, AROUND);
      const map = mapOf({ points: [venue], around: around.filter(({ id }) => id !== venue.id), zoom: 16 });
      return sendView(reply, "directory/venue", {
        title: venue.name,
        ...(await shown(deps, venue)),
        more: moreOf(venue),
        map,
      });
    });

    // The map of all streets tells as much as the search does.
    if (deps.config.publicSearch)
      pages.get("/map/:z/:x/:y", { config: { cost: "file" } }, (request, reply) =>
        sendPageTile(deps.replicas.reader(), request, reply),
      );

    for (const root of [ROOT_02, ROOT_10]) {
      pages.get<{ Querystring: { id?: unknown } }>(`${root}/preview`, async ({ query }, reply) => {
        reply.header("content-security-policy", contentSecurityPolicy({ frameAncestors: "*" }));
        reply.removeHeader("x-frame-options");
        const venue = await venueWithId(deps, query.id);
        const page = venuePage(venue.id, deps.config.api.url);
        return sendFrame(reply, "directory/preview", { title: venue.name, ...(await shown(deps, venue)), page });
      });
    }
  });
}

async function venueWithId({ replicas }: ApiDeps, id: unknown): Promise<VenueRow> {
  const venue =
    typeof id === "string" && VENUE_ID.test(id) ? (await findVenues(replicas.reader(), [id])).get(id) : undefined;
  if (venue) return venue;
  const isDeleted = typeof id === "string" && (await deletedAmong(replicas.reader(), [id])).has(id);
  throw notFound(isDeleted ? t("This venue was deleted.") : t("The directory has no venue with this id."));
}

export type ShownVenue = Awaited<ReturnType<typeof shown>>;

export interface Fact {
  label: string;
  value: string;
  href: string | null | undefined;
}

async function shown({ replicas }: ApiDeps, venue: VenueRow) {
  const { phone, url, sourceId } = venue;
  const source = sourceId === null ? undefined : (await sourcesOf(replicas.reader(), [venue])).get(sourceId);
  const path = categoryPath(venue.categoryId ?? "");
  return {
    venue,
    category: path.map(({ name }) => categoryName(name)).join(" › "),
    icon: path.at(-1)?.icon ?? "landmark",
    facts: given([
      { label: t("Also known as"), value: alsoKnownAs(venue.otherNames).join(" · ") },
      { label: t("Address"), value: addressInWords(addressOf(venue)) },
      { label: t("Phone"), value: phone },
      { label: t("Website"), value: url?.replace(/^https?:\/\/|\/$/gi, ""), href: url },
      { label: t("Position"), value: positionInWords(venue, venue.isByAddress) },
      {
        label: t("Status"),
        value: venue.isClosed ? t("Closed for good") : venue.isTemporarilyClosed ? t("Closed for a time") : null,
      },
      {
        label: t("Source"),
        value: [source?.attribution, source?.licence].filter(Boolean).join(", "),
        href: source?.url,
      },
    ]),
  };
}

const moreOf = ({ twitter, checkinsCount }: VenueRow) =>
  given([
    { label: "Twitter", value: twitter && `@${twitter}` },
    { label: t("Check-ins"), value: checkinsCount ? formatNumber(checkinsCount) : null },
  ]);

const given = (
  facts: { label: string; value: string | null | undefined; href?: string | null | undefined }[],
): Fact[] => facts.flatMap(({ label, value, href }) => (value ? [{ label, value, href }] : []));
