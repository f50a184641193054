import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { DirectoryError } from "../../../directory-client/calls/errors.ts";
import type { Mend } from "../../../harmonize/query/mend.ts";
import { reviewListing } from "../../../harmonize/review/listing.ts";
import { mendListing } from "../../../harmonize/review/mend.ts";
import type { Problem } from "../../../harmonize/run/problems/problems.ts";
import { TEXT_FIELDS } from "../../../harmonize/run/rows.ts";
import { goTo, textField } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import type { Visit } from "../../base/members.ts";
import { problemOf } from "../../base/page.ts";
import type { Seen } from "../base/guards.ts";
import { sendCard } from "./card.ts";
import { reviewAt, reviewHref } from "./place.ts";

const wish = z.object({
  seen: z.iso.datetime({ error: () => t("“seen” must be a time") }).optional(),
  back: z.literal("1", { error: () => t("“back” must be 1") }).optional(),
});

/** `POST /harmonizations/:id/listings/:number/mend` (its fields, or `back`): asks about the corrected listing again. */
export async function mend(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Seen & Visit) {
  const review = await reviewAt(web, request, visit);
  const { h, member: person, listing, queue } = review;
  const { seen, back } = parseParameters(wish, request.body);
  const typed = typedIn(request.body);
  const reviewed = { h, person, number: listing.number };
  try {
    const asked = { auth: visit.auth, seen: seen ? new Date(seen) : null, mend: back ? null : typed };
    const result = await mendListing(web.harmonizer, reviewed, asked);
    if ("errors" in result)
      return await sendCard(web, reply.code(400), review, { mend: { typed, errors: result.errors } });
    return goTo(reply, reviewHref(h, queue, listing.number), back ? takenBack(result) : askedAgain(result));
  } catch (error) {
    const { status, notice } = troubleOf(error);
    const now = (await reviewListing(web.harmonizer, reviewed)) ?? listing;
    return sendCard(web, reply.code(status), { ...review, listing: now }, { notice, mend: { typed, errors: {} } });
  }
}

/** A text that the form did not have stays as in the file. */
function typedIn(body: unknown): Mend {
  const sent = TEXT_FIELDS.filter(
    (field) => typeof (body as Record<string, unknown> | undefined)?.[field] === "string",
  );
  const typed = (field: string) => textField(body, field).trim();
  const texts = Object.fromEntries(sent.map((field) => [field, typed(field)]));
  return { name: typed("name"), lat: typed("lat"), lng: typed("lng"), ...texts };
}

type Asked = { candidates: number } | { problem: Problem };

const askedAgain = (result: Asked): Notice => ({
  kind: "success",
  message: t(
    "Corrected, and the directory was asked again: {candidates, plural, =0 {it has no similar venue} one {# candidate} other {# candidates}}.",
    { candidates: "candidates" in result ? result.candidates : 0 },
  ),
});

const takenBack = (result: Asked): Notice =>
  "problem" in result
    ? { kind: "warning", message: t("The correction was taken back, and the row fails as in your file.") }
    : {
        kind: "success",
        message: t(
          "The correction was taken back, and the directory was asked again: {candidates, plural, =0 {it has no similar venue} one {# candidate} other {# candidates}}.",
          result,
        ),
      };

function troubleOf(error: unknown): { status: number; notice: Notice } {
  if (!(error instanceof KnownError) || error instanceof DirectoryError) return problemOf(error);
  if (error.status !== 409) throw error;
  return { status: 409, notice: { kind: "danger", message: error.message } };
}
