import type { Role, Site } from "./site.ts";

export interface Shown {
  role: Role;
  name: string;
  address(site: Site): string;
}

const on =
  (host: "app" | "auth" | "api") =>
  (role: Role, name: string, path: string | ((site: Site) => string)): Shown => ({
    ...{ role, name },
    address: (site) => site[host] + (typeof path === "string" ? path : path(site)),
  });
const [app, auth, api] = [on("app"), on("auth"), on("api")];

const COFFEE = "query=coffee&ll=41.8236,-71.4222";
const LISTING = "name=Starbuck&ll=41.8246,-71.4139&address=11+Dorrance+Street&city=Providence";

/** Every page, and the states that differ from it most. */
export const PAGES: readonly Shown[] = [
  app("guest", "home", "/"),
  app("guest", "missing", "/nothing"),
  auth("guest", "directory", "/"),
  auth("guest", "directory-login", "/login"),
  auth("guest", "directory-sign-up", "/sign-up"),
  auth("guest", "directory-refusal", "/oauth2/authenticate?client_id=nobody&response_type=code"),
  api("guest", "docs", "/docs"),
  api("guest", "directory-venue", ({ venue }) => venue),
  api("guest", "preview", ({ venue }) => `/reconcile/1.0/preview?id=${venue.split("/").at(-1)}`),
  app("user", "home", "/"),
  app("user", "search", "/venues"),
  app("user", "search-map", `/venues?${COFFEE}`),
  app("user", "search-nothing", "/venues?query=zzzz&ll=41.8236,-71.4222"),
  app("user", "search-wrong", "/venues?query=coffee&ll=here"),
  app("user", "match", `/venues?intent=match&${LISTING}`),
  app("user", "venue", ({ venue }) => venue),
  app("user", "put-right", ({ venue }) => `${venue}/edit`),
  app("user", "add", "/venues/new?ll=41.8236,-71.4222"),
  app("user", "checkins", "/checkins"),
  app("user", "checkins-nothing", "/checkins?q=zzzz"),
  app("user", "files", "/harmonizations"),
  app("user", "draft", ({ draft }) => draft),
  app("user", "results", ({ file }) => file),
  app("user", "review", ({ file }) => `${file}/review`),
  app("user", "conflicts", ({ file }) => `${file}/conflicts`),
  app("user", "changes", ({ file }) => `${file}/changes`),
  app("user", "bridge", ({ file }) => `${file}/bridge`),
  app("user", "add-all", ({ file }) => `${file}/add`),
  app("user", "mappings", "/mappings"),
  app("user", "settings", "/settings"),
  auth("user", "directory-settings", "/settings"),
  auth("user", "directory-applications", "/applications"),
  auth("user", "directory-new-application", "/applications/new"),
  app("admin", "status", "/admin/status"),
  app("admin", "secrets", "/admin/secrets"),
  app("admin", "people", "/admin/people"),
  auth("admin", "operator", "/operator/applications"),
  auth("admin", "operator-venues", "/operator/venues"),
  auth("admin", "operator-proposals", "/operator/proposals"),
];
