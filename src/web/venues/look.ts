import type { FastifyReply, FastifyRequest } from "fastify";
import type { AddVenueParameters, LatLng } from "../../contract/parameters.ts";
import { formatLl } from "../../contract/parameters.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { type AddForm, checkForm, readForm } from "./add-form.ts";
import { certaintyOf } from "./comparison.ts";
import { ignoreUnlessRefused } from "./place.ts";
import { typedPoint } from "./typed-place.ts";
import { venueCard } from "./view.ts";

const MOST = 3;
const PERHAPS = 0.2;

/**
 * `/venues/new/look?name=&ll=&address=…`, while the form is filled in: JSON with `venues` that look alike and, without
 * `ll`, the `position` of the address. Unusable fields count as empty; if the directory fails, nothing is found.
 */
export async function lookWhileTyping(web: Web, request: FastifyRequest, reply: FastifyReply, { auth }: Visit) {
  const form = readForm(request.query);
  try {
    const position = form.values.ll ? undefined : await locateAddress(web, { auth }, form);
    const ll = position ? formatLl(position) : form.values.ll;
    return reply.send({
      venues: await alikeWith(web, { auth }, { ...form, values: { ...form.values, ll } }),
      position: position && { ll, estimated: position.estimated },
    });
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.kind === "refused_token") throw error;
    return reply.send({ venues: [] });
  }
}

async function alikeWith(web: Web, { auth }: Pick<Visit, "auth">, { values }: AddForm) {
  const { name, address, city, state, zip, phone, twitter } = usable(values);
  const ll = typedPoint.safeParse(values.ll).data;
  const near = nearOf(values);
  if (!name || !(ll || near)) return [];
  const listing = { name, address, city, state, zip, phone, twitter, ...(ll ? { ll } : { near }) };
  const found = await web.directory
    .matchVenues(auth, listing, { minScore: PERHAPS, limit: MOST })
    .catch(ignoreUnlessRefused);
  return (found?.venues ?? []).slice(0, MOST).map((venue) => {
    const { name, line, href } = venueCard(venue);
    return { name, line, href, certainty: certaintyOf(venue.score)?.words };
  });
}

/** Leaves out what the form would refuse. */
function usable(values: AddForm["values"]): Partial<AddVenueParameters> {
  const { errors } = checkForm({ values });
  const good = Object.entries(values).filter(([field, value]) => value && !(field in errors));
  return Object.fromEntries(good);
}

/** Returns where the address is, by the directory's own venues; undefined if the form has too little of it. */
export async function locateAddress(web: Web, { auth }: Pick<Visit, "auth">, { values }: Pick<AddForm, "values">) {
  const { address } = usable(values);
  const near = nearOf(values);
  const found = address && near && (await web.directory.locate(auth, { address, near }));
  return found ? { ...rounded(found), estimated: found.estimated } : undefined;
}

function nearOf(values: AddForm["values"]): string | undefined {
  const { city, state, zip } = usable(values);
  return city ? [city, state].filter(Boolean).join(", ") : zip;
}

const rounded = ({ lat, lng }: LatLng): LatLng => ({ lat: Number(lat.toFixed(6)), lng: Number(lng.toFixed(6)) });
