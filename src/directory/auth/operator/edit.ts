import type { FastifyReply, FastifyRequest } from "fastify";
import { differing, rebased, type Values, valuesIn } from "../../../contract/correction-parameters.ts";
import { csrfToken, goTo, textField } from "../../../http/pages/forms.ts";
import { mapOf, type Notice } from "../../../http/pages/parts.ts";
import { changedMeanwhile, presentValues, typedValues, valueLabels } from "../../../http/pages/venue-form.ts";
import { sendView } from "../../../http/pages/views.ts";
import { t } from "../../../language/translate.ts";
import { KnownError, notFound } from "../../../shared/errors.ts";
import { categoryTree, findCategory } from "../../categories/tree.ts";
import { editVenue } from "../../corrections/edit.ts";
import { checkValues, valuesOf } from "../../corrections/values.ts";
import { findVenues, seenByOperators, VENUE_ID } from "../../venues/find.ts";
import { venuePage } from "../../venues/present.ts";
import { presentTree } from "../../venues/present-category.ts";
import type { VenueRow } from "../../venues/rows.ts";
import type { AuthDeps, Own } from "../base/session.ts";
import { VENUES_PAGE } from "./venues.ts";

/** `GET /operator/venues/edit` (`id`): a form with the venue's values. */
export async function showEdit(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, own: Own) {
  return sendForm(deps, reply, own, { venue: await find(deps, textField(request.query, "id")) });
}

/** `POST /operator/venues/edit`: edits, moves, closes or reopens a venue. `was` has the values that the form began with. */
export async function edit(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, own: Own) {
  const { body } = request;
  const venue = await find(deps, textField(body, "id"));
  const was = valuesIn(textField(body, "was")) ?? valuesOf(venue);
  const typed = typedValues(body);
  const { values: wanted, errors } = checkValues(differing(typed, was));
  if (errors) return sendForm(deps, reply.code(400), own, { venue, values: typed, was, errors });
  try {
    const by = { userId: own.user.id, clientId: null, isOperator: true };
    const change = await editVenue(deps, { id: venue.id, wanted, was }, by);
    request.log.info({ operator: own.user.id, change }, "an operator changed a venue");
  } catch (error) {
    if (!(error instanceof KnownError) || error.status !== 409) throw error;
    const now = await find(deps, venue.id);
    const { values, conflicts } = rebased(typed, was, valuesOf(now));
    const errors = presentValues(conflicts, (id) => findCategory(id)?.name);
    const notice = Object.keys(errors).length > 0 ? changedMeanwhile() : unchanged(error.message);
    return sendForm(deps, reply.code(409), own, { venue: now, values, errors, notice });
  }
  return goTo(reply, `${VENUES_PAGE}?${new URLSearchParams({ id: venue.id })}`, {
    kind: "success",
    message: t("Changed. The earlier values are below. You can revert the change."),
  });
}

const unchanged = (message: string): Notice => ({ kind: "warning", heading: t("Nothing was changed."), message });

async function find({ pool }: AuthDeps, id: string): Promise<VenueRow> {
  const venue = VENUE_ID.test(id) && (await findVenues(pool, [id], { sees: seenByOperators })).get(id);
  if (venue) return venue;
  throw notFound(t("The directory has no venue with this id."));
}

interface Form {
  venue: VenueRow;
  values?: Values;
  /** By default what the venue is now. */
  was?: Values;
  errors?: Record<string, string>;
  notice?: Notice;
}

function sendForm({ config }: AuthDeps, reply: FastifyReply, { user }: Own, form: Form) {
  const { venue, values, was = valuesOf(venue), notice } = form;
  const errors = withLabels(form.errors);
  return sendView(reply, "directory/operator/edit", {
    title: t("Edit {name}", { name: venue.name }),
    user,
    id: venue.id,
    name: venue.name,
    page: venuePage(venue.id, config.api.url),
    values: { ...valuesOf(venue), ...values },
    was: JSON.stringify(was),
    fieldErrors: errors,
    errors: Object.entries(errors).map(([field, message]) => ({ field, message })),
    categories: categoryTree.map((category) => presentTree(category, config.api.url)),
    map: mapOf({ points: [venue], zoom: 16, pick: { lat: "ll", lng: "ll" } }),
    notice,
    csrf: csrfToken(reply),
    path: VENUES_PAGE,
  });
}

/** Messages begin with the name of the parameter. */
function withLabels(errors: Record<string, string> = {}): Record<string, string> {
  const labels: Record<string, string> = valueLabels();
  return Object.fromEntries(
    Object.entries(errors).map(([name, message]) => [
      name,
      message.replace(new RegExp(`^${name}\\b`), labels[name] ?? name),
    ]),
  );
}
