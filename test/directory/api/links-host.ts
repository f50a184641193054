import { beforeAll, expect } from "vitest";
import { linksResponse, type Venue } from "../../../src/contract/resources.ts";
import { addApplication } from "../../../src/directory/applications/applications.ts";
import { reserveProvider } from "../../../src/directory/applications/providers.ts";
import { type Answer, type ApiHost, apiHost, connect, freshVenue, venueOf, venuesOf } from "./host.ts";

export const ANNOTATE = "/v2/venues/annotate";

/** Reserved for the host's application. */
export const PROVIDER = "maps";

/** Reserved for another application. */
export const RIVAL = "rival";

export interface LinksHost extends ApiHost {
  /** A token of the same user for the other application. */
  rivalToken: string;
  newVenue(more?: Record<string, string>): Promise<Venue & { ll: string }>;
  annotate(
    venueId: string,
    linkedId: string,
    more?: Record<string, string>,
    sending?: Parameters<ApiHost["asUser"]>[2],
  ): Promise<Answer>;
  /** Links as the host's application sees them. */
  linksOf(venueId: string): Promise<ReturnType<typeof linksResponse.parse>["links"]>;
}

/** Starts the API host with two applications that have one provider id each. */
export async function linksHost(options: Parameters<typeof apiHost>[0] = {}): Promise<LinksHost> {
  const host = (await apiHost(options)) as LinksHost;
  beforeAll(async () => {
    await reserveProvider(host.deps, PROVIDER, host.application.clientId);
    const { userId } = host.user;
    const { clientId } = await addApplication(host.deps, {
      ownerId: userId,
      name: "Rival app",
      redirectUris: ["https://rival.example/"],
    });
    await reserveProvider(host.deps, RIVAL, clientId);
    host.rivalToken = (await connect(host.deps, { userId, clientId })).token;
  });
  host.newVenue = async (more = {}) => {
    const fields = freshVenue(more);
    return { ...venueOf(await host.asUser("/v2/venues/add", fields)), ll: fields.ll };
  };
  host.annotate = (venueId, linkedId, more = {}, sending = {}) =>
    host.asUser(ANNOTATE, { venueId, providerId: PROVIDER, linkedId, ...more }, sending);
  host.linksOf = async (venueId) =>
    linksResponse.parse((await host.userless(`/v2/venues/${venueId}/links`)).body.response).links;
  return host;
}

export function idsOf(answer: Answer): string[] {
  expect(answer.body.meta.code).toBe(200);
  return venuesOf(answer).map(({ id }) => id);
}
