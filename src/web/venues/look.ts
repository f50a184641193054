import type { FastifyReply, FastifyRequest } from "fastify";
import { formatLl, type LatLng } from "../../contract/parameters.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { type AddForm, checkForm, readForm } from "./add-form.ts";
import { certaintyOf } from "./comparison.ts";
import { ignoreUnlessRefused, pointsAround } from "./place.ts";
import { typedPoint } from "./typed-place.ts";
import { suggestionOf } from "./view.ts";

const MOST = 3;
const PERHAPS = 0.2;

/**
 * `/venues/new/look?name=&ll=&address=…`, while the form is filled in. Answers JSON: `venues` that look alike; `isSearched`,
 * whether they were looked for; `position`, that of the address, unless `ll` was given; `around`, the venues around as
 * [lat, lng, name]. Unusable fields count as empty; if the directory fails, nothing is found.
 */
export async function lookWhileTyping(web: Web, request: FastifyRequest, reply: FastifyReply, { auth }: Visit) {
  const { values } = readForm(request.query);
  return reply.send((await look(web, { auth }, values).catch(ignoreUnlessRefused)) ?? { venues: [] });
}

async function look(web: Web, visit: Pick<Visit, "auth">, values: AddForm["values"]) {
  const fields = usable(values);
  const position = values.ll ? undefined : await locateAddress(web, visit, fields);
  const ll = position ?? typedPoint.safeParse(values.ll).data;
  const [venues, around] = await Promise.all([alikeWith(web, visit, fields, ll), pointsAround(web, visit, ll)]);
  return {
    venues: venues ?? [],
    isSearched: venues !== undefined,
    position: position && { ll: formatLl(position), estimated: position.estimated },
    around: around.map(({ lat, lng, name }) => [lat, lng, name]),
  };
}

/** Returns undefined if name or place is missing, or if the directory fails. */
async function alikeWith(web: Web, { auth }: Pick<Visit, "auth">, fields: Fields, ll: LatLng | undefined) {
  const { name, address, city, state, zip, phone, twitter } = fields;
  const near = nearOf(fields);
  if (!name || !(ll || near)) return undefined;
  const listing = { name, address, city, state, zip, phone, twitter, ...(ll ? { ll } : { near }) };
  const found = await web.directory
    .matchVenues(auth, listing, { minScore: PERHAPS, limit: MOST })
    .catch(ignoreUnlessRefused);
  return found?.venues
    .slice(0, MOST)
    .map((venue) => ({ ...suggestionOf(venue), certainty: certaintyOf(venue.score)?.words }));
}

type Fields = Partial<Record<keyof AddForm["values"], string>>;

/** Leaves out what is empty or what the form would refuse. */
export function usable(values: AddForm["values"]): Fields {
  const { errors } = checkForm({ values });
  return Object.fromEntries(Object.entries(values).filter(([field, value]) => value && !(field in errors)));
}

/** Returns where the address is, by the directory's own venues; undefined if the usable fields have too little of it. */
export async function locateAddress(web: Web, { auth }: Pick<Visit, "auth">, fields: Fields) {
  const { address } = fields;
  const near = nearOf(fields);
  const found = address && near && (await web.directory.locate(auth, { address, near }));
  return found ? { ...rounded(found), estimated: found.estimated } : undefined;
}

const nearOf = ({ city, state, zip }: Fields): string | undefined =>
  city ? [city, state].filter(Boolean).join(", ") : zip;

const rounded = ({ lat, lng }: LatLng): LatLng => ({ lat: Number(lat.toFixed(6)), lng: Number(lng.toFixed(6)) });
