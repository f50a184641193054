// The parts of each client that the tests use. Most have no types, and `npm run types` runs without the packages.

declare module "@auth/core" {
  export function Auth(request: Request, config: object): Promise<Response>;
}

declare module "@auth/core/providers/foursquare" {
  export default function foursquare(options: { clientId: string; clientSecret: string }): object;
}

declare module "@placemarkio/check-geojson" {
  /** Throws for what RFC 7946 does not allow. */
  export function check(geojson: string): object;
}

declare module "grant" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Handler = (
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<{ response: object; redirect: boolean }>;
  export default function grant(options: object): Handler;
}

declare module "openapi-typescript" {
  export default function openapiTS(document: URL): Promise<object[]>;
  export function astToString(nodes: object[]): string;
}

declare module "passport-foursquare" {
  export interface Profile {
    id: string;
    name: { familyName?: string; givenName?: string };
    gender?: string;
    emails: { value?: string }[];
  }
  export interface Options {
    clientID: string;
    clientSecret: string;
    callbackURL: string;
    authorizationURL: string;
    tokenURL: string;
    userProfileURL: string;
    state: boolean;
  }
  type Verify = (
    accessToken: string,
    refreshToken: unknown,
    profile: Profile,
    done: (error: unknown, user?: object) => void,
  ) => void;
  export class Strategy {
    constructor(options: Options, verify: Verify);
    userProfile(accessToken: string, done: (error: unknown, profile?: Profile) => void): void;
  }
}

declare module "passport" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  export class Passport {
    use(strategy: object): void;
    authenticate(
      name: string,
      options: { session: boolean },
      done: (error: unknown, user: unknown, info: unknown) => void,
    ): Middleware;
  }
}

declare module "node-foursquare" {
  type Callback = (error: unknown, result?: unknown) => void;
  interface Client {
    getAuthClientRedirectUrl(): string;
    getAccessToken(parameters: { code: string }, callback: Callback): Promise<void>;
    Venues: {
      getCategories(parameters: object, token: string | null, callback: Callback): void;
      getDetails(venueId: string, parameters: object, token: string | null, callback: Callback): void;
      match(place: object, query: string, parameters: object, token: string | null, callback: Callback): void;
      searchLocation(place: object, parameters: object, token: string | null, callback: Callback): void;
    };
    Users: {
      getSelfDetails(token: string, callback: Callback): void;
      getSelfCheckins(parameters: object, token: string, callback: Callback): void;
    };
    Checkins: { add(venueId: string, parameters: object, token: string, callback: Callback): void };
  }
  export default function client(config: object): Client;
}

declare module "foursquarevenues" {
  type Callback = (error: string | null, body: unknown) => void;
  interface Client {
    getCategories(parameters: object, callback: Callback): void;
    getVenues(parameters: object, callback: Callback): void;
    getVenue(parameters: { venue_id: string }, callback: Callback): void;
    getVenueAspect(parameters: { venue_id: string; aspect_name: string }, callback: Callback): void;
  }
  export default function client(clientId: string, clientSecret: string): Client;
}
