import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { answers } from "../../../support/fake-directory/behaviours.ts";
import { startWeb } from "../../web-app.ts";
import { ownerOf } from "../runs.ts";

/** The web app with a member, whose directory tells what became of candidates. */
export async function startCards() {
  const web = await startWeb();
  web.directory.offerLookup();
  return { ...web, fay: await web.logIn(), owner: await ownerOf(web) };
}

export const MULTI = "/v2/multi";

/** Returns the path of the review card of a listing with three candidates. */
export async function newCard({ database, directory, owner }: Awaited<ReturnType<typeof startCards>>): Promise<string> {
  const candidates = [makeCandidate("v1", 0.7, { name: 1.2 }), makeCandidate("v2", 0.3), makeCandidate("v3", 0.2)];
  const listings = [{ name: "Venue now", candidates }];
  const { id } = await makeHarmonization(database, owner, listings, { directory: directory.baseUrl });
  return `/harmonizations/${id}/review/1`;
}

export const venue = (id: string, more: object = {}) => ({
  meta: { code: 200 },
  response: {
    venue: {
      id,
      name: `Venue ${id}`,
      location: { lat: 41.82, lng: -71.41, address: "1 Main St" },
      categories: [],
      ...more,
    },
  },
});
export const gone = {
  meta: { code: 400, errorType: "param_error", errorDetail: "There is no venue with this id." },
  response: {},
};

/** Lets the directory answer a look-up of several venues at once. */
export const tells = ({ directory }: Pick<Awaited<ReturnType<typeof startCards>>, "directory">, responses: object[]) =>
  directory.behave(MULTI, answers(200, { meta: { code: 200 }, response: { responses } }));
