import { z } from "zod";
import type { LatLng } from "../../../contract/parameters.ts";
import type { Venue } from "../../../contract/resources.ts";
import { text } from "../../../contract/text.ts";
import { categoryName } from "../../../language/categories.ts";
import { distanceBetween } from "../../../matching/distance.ts";
import type { Web } from "../../base/deps.ts";
import { distanceInWords } from "../../base/distance.ts";
import type { Visit } from "../../base/members.ts";
import { ignoreUnlessRefused } from "../place.ts";
import { pointOf } from "../view.ts";

const RADII = [500, 1_000, 5_000, 20_000];

/** Unknown values count as none. */
export const filters = {
  categoryId: text("Category", 100).optional().catch(undefined),
  radius: z.enum(RADII.map(String)).transform(Number).optional().catch(undefined),
  phone: z.literal("1").optional().catch(undefined),
};

export interface Filters {
  categoryId?: string | undefined;
  /** Metres around the place. */
  radius?: number | undefined;
  /** Only venues with a phone. */
  phone?: "1" | undefined;
}

/** What the form shows. Offers the upper categories only: each includes those below it. */
export async function filterFields(web: Web, { auth }: Visit, { categoryId, radius, phone }: Filters) {
  const categories = (await web.directory.categories(auth).catch(ignoreUnlessRefused)) ?? [];
  return {
    categories: categories.map(({ id, name }) => ({
      value: id,
      label: categoryName(name),
      isChosen: id === categoryId,
    })),
    radii: RADII.map((each) => ({ value: each, label: distanceInWords(each), isChosen: each === radius })),
    withPhone: phone !== undefined,
    count: [categoryId, radius, phone].filter(Boolean).length,
  };
}
export type FilterFields = Awaited<ReturnType<typeof filterFields>>;

/** Applies what the interface has no parameter for, and a radius that a directory ignores. */
export const passing =
  ({ radius, phone }: Filters, center: LatLng | undefined) =>
  (venue: Venue): boolean => {
    const point = pointOf(venue);
    const isNear = !radius || !center || (point !== undefined && distanceBetween(center, point) <= radius);
    return isNear && (!phone || Boolean(venue.contact?.phone));
  };
