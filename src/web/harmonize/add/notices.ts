import { formatLl, type LatLng } from "../../../contract/parameters.ts";
import type { Auth } from "../../../directory-client/calls/answers.ts";
import { DirectoryError } from "../../../directory-client/calls/errors.ts";
import { knownNeighbours, NO_NEIGHBOURS } from "../../../harmonize/positions/neighbours.ts";
import { createPositionCheck, type Doubt } from "../../../harmonize/positions/place-check.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import { isOpen } from "../../../harmonize/run/positions.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import { within } from "../../../shared/within.ts";
import type { Web } from "../../base/deps.ts";
import { problemOf } from "../../base/page.ts";
import type { AddForm } from "../../venues/add-form.ts";
import type { ReviewAt } from "../review/place.ts";
import { addHref } from "./form.ts";

type At = Omit<ReviewAt, "member">;

/** @throws the error itself if it is unexpected or a refused token */
export function troubleOf(error: unknown): { status: number; notice: Notice } {
  if (error instanceof DirectoryError || !(error instanceof KnownError) || error.status !== 409)
    return problemOf(error);
  return { status: 409, notice: { kind: "warning", heading: `${error.title}.`, message: error.message } };
}

export const lockNotice = ({ lockedBy }: ReviewListing): Notice | undefined =>
  lockedBy
    ? {
        kind: "warning",
        heading: t("{name} has this row open.", { name: lockedBy }),
        message: t("Only one person at a time can add a row. Send the form once the other person is done."),
      }
    : undefined;

/** The next add finishes an interrupted one. */
export function openAdd({ isAdding, problem }: ReviewListing): Notice | undefined {
  if (isAdding)
    return {
      kind: "warning",
      heading: t("This row is already being added."),
      message: t("Send the form to finish adding the venue. Nothing is added twice."),
    };
  return problem?.code === "add_unknown" ? { kind: "warning", message: wordsOf(problem) } : undefined;
}

/**
 * Returns a warning if the position should be checked before a venue is added there, with the one that it should perhaps have
 * (attacks F30, F81).
 *
 * @param placed the position that the person was asked about, from the form
 */
export async function doubtOf(
  { config, directory, harmonizer }: Pick<Web, "config" | "directory" | "harmonizer">,
  adding: At & { auth: Auth },
  form: AddForm,
  ll: LatLng,
  placed: string,
): Promise<Notice | undefined> {
  const { h, listing, auth } = adding;
  if (placed === formatLl(ll)) return undefined;
  const heading = t("Is this the right position?");
  const again = t("Send the form again to add it there, or choose another position.");
  // The first look at a large file takes longer than a person waits, and the next add finds it done.
  const neighbours = await within(knownNeighbours(harmonizer, h)).catch(() => NO_NEIGHBOURS);
  const check = createPositionCheck({ directory, auth }, h, neighbours);
  const doubt = await check(listing.cells, ll);
  if (doubt)
    return {
      kind: "warning",
      heading,
      message: `${wordsOf(doubt)} ${again}`,
      link: suggestion(config.web.url, adding, form, doubt),
    };
  const isOfFile = listing.query?.ll?.lat === ll.lat && listing.query.ll.lng === ll.lng;
  const message = `${t("The positions in this file look wrong, and nobody has confirmed them yet.")} ${again}`;
  return isOfFile && isOpen(h.positions) ? { kind: "warning", heading, message } : undefined;
}

/** Leads to the form with the position that it should perhaps have. */
function suggestion(origin: string, { h, listing, queue }: At, form: AddForm, { wouldBe }: Doubt): Notice["link"] {
  if (!wouldBe) return undefined;
  const ll = formatLl(wouldBe);
  const href = addHref({ id: h.id, number: listing.number, queue }, { ...form, values: { ...form.values, ll } });
  return { href: `${origin}${href}`, label: t("Use {position}", { position: ll }) };
}
