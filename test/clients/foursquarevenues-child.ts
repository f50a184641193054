import "./known-hosts.ts";
import { json } from "node:stream/consumers";
import foursquareVenues from "foursquarevenues";

export interface Input {
  clientId: string;
  clientSecret: string;
}

/** The callback's arguments: the body, or the text of an error's body. */
export interface Told<T> {
  error: string | null;
  body: T;
}

export interface Found {
  search: Told<{ response: { venues: { id: string; name: string }[] } }>;
  categories: Told<{ response: { categories: object[] } }>;
  venue: Told<{ response: { venue: { id: string; name: string } } }>;
  links: Told<{ response: { links: object } }>;
  noPlace: Told<null>;
  wrongSecret: Told<null>;
}

const { clientId, clientSecret } = (await json(process.stdin)) as Input;
const foursquare = foursquareVenues(clientId, clientSecret);
const told = <T>(start: (callback: (error: string | null, body: unknown) => void) => void) =>
  new Promise<Told<T>>((resolve) => start((error, body) => resolve({ error, body: body as T })));

const place = { ll: "41.8240,-71.4128", query: "coffee" };
const search = await told<Found["search"]["body"]>((done) => foursquare.getVenues(place, done));
const id = search.body?.response.venues[0]?.id ?? "";
const found: Found = {
  search,
  categories: await told((done) => foursquare.getCategories({}, done)),
  venue: await told((done) => foursquare.getVenue({ venue_id: id }, done)),
  links: await told((done) => foursquare.getVenueAspect({ venue_id: id, aspect_name: "links" }, done)),
  noPlace: await told((done) => foursquare.getVenues({}, done)),
  wrongSecret: await told((done) => foursquareVenues(clientId, "wrong").getVenues(place, done)),
};
process.stdout.write(JSON.stringify(found));
