import "./installed.ts";
import { describe, expect, it } from "vitest";
import { directoryBehindFront } from "./client-site.ts";
import type { Found, Input, Told } from "./foursquarevenues-child.ts";
import { runBehindFront } from "./tls-front.ts";

const { client, front } = await directoryBehindFront("https://site.example/callback");

const envelopeOf = ({ error }: Told<null>) => JSON.parse(error ?? "{}");

describe("foursquarevenues 3.0.1, with its fixed host api.foursquare.com", () => {
  it("searches, lists categories, and reads a venue and its links", async () => {
    const input: Input = client;
    const found = await runBehindFront<Found>(front, "foursquarevenues-child.ts", input);
    const { search, categories, venue, links, noPlace, wrongSecret } = found;
    expect([search.error, categories.error, venue.error, links.error]).toEqual([null, null, null, null]);
    const [first] = search.body.response.venues;
    expect(first?.name).toMatch(/\w/);
    expect(venue.body.response.venue).toMatchObject({ id: first?.id, name: first?.name });
    expect(categories.body.response.categories.length).toBeGreaterThan(5);
    expect(links.body.response.links).toEqual({ count: 0, items: [] });

    expect(envelopeOf(noPlace).meta).toMatchObject({ code: 400, errorType: "param_error" });
    expect(envelopeOf(wrongSecret).meta).toMatchObject({ code: 400, errorType: "invalid_auth" });
  });
});
