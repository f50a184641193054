import type { FastifyInstance } from "fastify";
import { LOCATE_PATH, locateParameters, locateResponse } from "../../contract/addresses.ts";
import { KnownError } from "../../shared/errors.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { openEndpoint } from "../endpoint/endpoint.ts";
import { resolvePlace } from "../places/geocode.ts";
import { locateAddresses } from "../venues/search/locate-addresses.ts";

export function registerAddressLocate(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["GET"],
    path: LOCATE_PATH,
    summary: "The position of an address",
    description:
      "By the directory's own venues: that of a venue with the house number, otherwise a point between the nearest numbers of the street, as `estimated`.",
    isOurs: true,
    parameters: locateParameters,
    response: locateResponse,
    example: () => ({ position: { lat: 41.8246, lng: -71.4139, estimated: false } }),
    answer: async ({ parameters: { address, near }, reads }) => {
      const place = await resolvePlace(reads, near).catch(unlessUnknown);
      const [position] = place ? await locateAddresses(reads, [{ address, ...place }]) : [];
      return position ? { position } : {};
    },
  });
}

function unlessUnknown(error: unknown): undefined {
  if (error instanceof KnownError && error.code === "failed_geocode") return undefined;
  throw error;
}
