import { anyone, rowsFor } from "../../http/routes.ts";
import {
  chooseLanguage,
  disconnectApplication,
  endAllSessions,
  endSessions,
  setPassword,
  settings,
} from "./account.ts";
import { askNew, listOwned, register } from "./applications/applications.ts";
import * as application from "./applications/one.ts";
import { owners } from "./applications/owned.ts";
import { answerers, askConsent, authenticate, authorize, decideConsent } from "./authorize.ts";
import { type AuthDeps, users } from "./base/session.ts";
import { showHome } from "./home.ts";
import { askLogin, logIn, logOut } from "./login.ts";
import { showMetadata } from "./metadata.ts";
import { decideAccess, listAll, showAny } from "./operator/applications.ts";
import { decideProposals } from "./operator/decide-proposals.ts";
import { OPERATOR_PAGE } from "./operator/decision-form.ts";
import { removeDemo, showDemo } from "./operator/demo.ts";
import { beginSearch, decideDuplicates, showDuplicates, undoDuplicates } from "./operator/duplicates.ts";
import { edit, showEdit } from "./operator/edit.ts";
import { sendMapTile } from "./operator/map.ts";
import { operators } from "./operator/operators-only.ts";
import { showOverview } from "./operator/overview.ts";
import { showProposals } from "./operator/proposals.ts";
import * as venues from "./operator/venues.ts";
import { search } from "./search.ts";
import { askSignUp, signUp } from "./sign-up.ts";

const { get, post } = rowsFor<AuthDeps>();

export const openRoutes = [get("/.well-known/oauth-authorization-server", anyone, showMetadata)];

const password = { cost: "password" } as const;
/** These may issue a code, so they do not answer HEAD. */
const handsOver = { answersHead: false } as const;
const ifOn = { isOn: ({ config }: AuthDeps) => config.signUp };

export const pageRoutes = [
  get("/", anyone, showHome),
  get("/search", anyone, search, { isOn: ({ config }: AuthDeps) => config.publicSearch }),
  get("/oauth2/authenticate", anyone, authenticate, handsOver),
  get("/oauth2/authorize", anyone, authorize, handsOver),
  get("/oauth2/consent", answerers, askConsent, handsOver),
  post("/oauth2/consent", answerers, decideConsent),
  get("/login", anyone, askLogin),
  post("/login", anyone, logIn, password),
  post("/logout", anyone, logOut),
  get("/sign-up", anyone, askSignUp, ifOn),
  post("/sign-up", anyone, signUp, { ...password, ...ifOn }),

  get("/settings", users, settings),
  post("/settings/language", users, chooseLanguage),
  post("/settings/disconnect", users, disconnectApplication),
  post("/settings/password", users, setPassword, password),
  post("/settings/sessions", users, endSessions, password),
  post("/settings/sessions/end", anyone, endAllSessions),

  get("/applications", users, listOwned),
  get("/applications/new", users, askNew),
  post("/applications", users, register),
  get("/applications/:id", owners, application.showOwned),
  post("/applications/:id", owners, application.change),
  post("/applications/:id/secrets", owners, application.addSecret),
  post("/applications/:id/secrets/end", owners, application.endOneSecret),
  post("/applications/:id/providers", owners, application.reserve),
  post("/applications/:id/providers/release", owners, application.release),
  post("/applications/:id/requests", owners, application.askForAccess),
  post("/applications/:id/delete", owners, application.remove),

  get(OPERATOR_PAGE, operators, showOverview),
  get("/operator/applications", operators, listAll),
  get("/operator/applications/:id", operators, showAny),
  post("/operator/applications/:id/access", operators, decideAccess),
  get("/operator/venues", operators, venues.showVenues),
  get("/operator/venues/edit", operators, showEdit),
  post("/operator/venues/edit", operators, edit),
  post("/operator/venues/merge", operators, venues.merge),
  get("/map/:z/:x/:y", operators, sendMapTile, { cost: "file" }),
  post("/operator/changes/:id/revert", operators, venues.revert),
  get("/operator/proposals", operators, showProposals),
  post("/operator/proposals", operators, decideProposals),
  get("/operator/duplicates", operators, showDuplicates),
  post("/operator/duplicates", operators, decideDuplicates),
  post("/operator/duplicates/search", operators, beginSearch),
  post("/operator/duplicates/:id/undo", operators, undoDuplicates),
  get("/operator/demo", operators, showDemo),
  post("/operator/demo", operators, removeDemo),
];
