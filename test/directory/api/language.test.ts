import { expect, test } from "vitest";
import { apiHost, credentialsOf, DOWNTOWN, V } from "./host.ts";

const host = await apiHost({ sample: true });
const SPANISH = { headers: { "accept-language": "es", cookie: "language=es" } };
const CLIENT = { isClient: true, v: V };

type Given = { isClient?: boolean; v?: string; [name: string]: string | number | boolean | undefined };
const CALLS: [path: string, given: Given, status: number][] = [
  ["/v2/venues/search", { ...CLIENT, ll: DOWNTOWN, query: "coffee", limit: 3 }, 200],
  ["/v2/venues/search", { ...CLIENT, ll: "here" }, 400],
  ["/v2/venues/search", { ...CLIENT, intent: "match", ll: DOWNTOWN, name: "Starbucks", limit: 1 }, 200],
  ["/v2/venues/categories", CLIENT, 200],
  ["/v2/venues/none", CLIENT, 404],
  ["/v2/venues/none-1", CLIENT, 400],
  ["/v2/users/self", { v: V }, 400],
  ["/nothing", {}, 404],
];
test.each(CALLS)(
  "the API answers in English whatever the caller reads: %s %o",
  async (path, { isClient, ...given }, status) => {
    const fields = { ...(given as Record<string, string | number>), ...(isClient && credentialsOf(host.application)) };
    const [english, spanish] = await Promise.all([
      host.send("GET", path, fields),
      host.send("GET", path, fields, SPANISH),
    ]);
    // Both name the call or its second.
    const said = ({ text }: { text: string }) => text.replace(/"(?:requestId|referralId)":"[^"]*"/g, "");
    expect([english.status, spanish.status, said(spanish)]).toEqual([status, status, said(english)]);
    expect(spanish.headers.vary ?? "").not.toContain("language");
  },
);
