import { anyone, rowsFor } from "../http/routes.ts";
import { handOver, showLists } from "./admin/lists.ts";
import * as people from "./admin/people.ts";
import { goToStatus, showStatus } from "./admin/status.ts";
import { showApi } from "./api/document.ts";
import type { Web } from "./base/deps.ts";
import { admins, confirmedAdmins, connected, members } from "./base/members.ts";
import { addCheckin, deleteCheckin, editCheckin, ofCheckin, ofVenue, showCheckin } from "./checkins/change.ts";
import { sendDownload } from "./checkins/download.ts";
import { showCheckins } from "./checkins/page.ts";
import { endOld, paste, rotate, showSecretsPage, switchOn } from "./client-secret/pages.ts";
import { harmonizeRoutes } from "./harmonize/routes.ts";
import { showHome } from "./home.ts";
import { finishAsked, finishLogin, showPopupDone } from "./login/callback.ts";
import { logOut } from "./login/logged-out.ts";
import { refusePrefetch, startLogin } from "./login/login.ts";
import { mapReaders, sendMapTile } from "./map.ts";
import { createToken, endOneToken, showTokens } from "./settings/api-tokens.ts";
import { endAllSessions, endOneSession, endOtherSessions } from "./settings/own-sessions.ts";
import { chooseLanguage, disconnectNow, showSettings } from "./settings/settings.ts";
import { addVenue, filledIn, lookWhileTyping, showAddForm } from "./venues/add.ts";
import { correct, correctionOf, showCorrection } from "./venues/correct.ts";
import { showProposals, withdrawProposal } from "./venues/own-proposals.ts";
import { showSearch } from "./venues/search.ts";
import { suggest } from "./venues/suggest.ts";
import { showVenue } from "./venues/venue.ts";

const { get, post } = rowsFor<Web>();

export const routes = [
  get("/", anyone, showHome),
  get("/login", anyone, startLogin, { check: refusePrefetch, answersHead: false }),
  get("/login/callback", anyone, finishLogin, { check: refusePrefetch, answersHead: false }),
  post("/login/callback", anyone, finishAsked),
  get("/login/popup", anyone, showPopupDone),
  post("/logout", anyone, logOut),

  get("/venues", connected, showSearch),
  get("/venues/suggest", connected, suggest),
  get("/venues/new", connected, showAddForm),
  get("/venues/new/look", connected, lookWhileTyping),
  post("/venues", connected, addVenue, { returnTo: filledIn }),
  get("/venues/proposals", connected, showProposals),
  post("/venues/proposals", connected, withdrawProposal),
  get("/venues/:id", connected, showVenue),
  get("/venues/:id/edit", connected, showCorrection),
  post("/venues/:id/edit", connected, correct, { returnTo: correctionOf }),
  get("/map/:z/:x/:y", mapReaders, sendMapTile, { cost: "file" }),
  post("/venues/:id/checkins", connected, addCheckin, { returnTo: ofVenue }),
  get("/checkins", connected, showCheckins),
  get("/checkins/download", members, sendDownload),
  get("/checkins/:id", connected, showCheckin),
  post("/checkins/:id", connected, editCheckin, { returnTo: ofCheckin }),
  post("/checkins/:id/delete", connected, deleteCheckin, { returnTo: ofCheckin }),

  ...harmonizeRoutes,

  get("/settings", members, showSettings),
  post("/settings/language", members, chooseLanguage),
  post("/settings/disconnect", members, disconnectNow),
  post("/settings/sessions/end", members, endAllSessions),
  post("/settings/sessions/others", members, endOtherSessions),
  post("/settings/sessions/:id", members, endOneSession),
  get("/settings/tokens", members, showTokens),
  post("/settings/tokens", members, createToken, { returnTo: () => "/settings/tokens" }),
  post("/settings/tokens/:id/end", members, endOneToken, { returnTo: () => "/settings/tokens" }),

  get("/api/v1", anyone, showApi),

  get("/admin", admins, goToStatus),
  get("/admin/status", admins, showStatus),
  get("/admin/secrets", admins, showSecretsPage),
  post("/admin/secrets/rotate", confirmedAdmins, rotate),
  post("/admin/secrets/paste", confirmedAdmins, paste),
  post("/admin/secrets/:id/switch-on", confirmedAdmins, switchOn),
  post("/admin/secrets/end-old", confirmedAdmins, endOld),
  get("/admin/people", admins, people.listPeople),
  post("/admin/people/:id/make-admin", confirmedAdmins, people.makeAdmin),
  post("/admin/people/:id/take-admin", confirmedAdmins, people.takeAdmin),
  post("/admin/people/:id/disable", confirmedAdmins, people.disable),
  post("/admin/people/:id/enable", confirmedAdmins, people.enable),
  post("/admin/people/:id/end-sessions", confirmedAdmins, people.endSessions),
  get("/admin/lists", admins, showLists),
  post("/admin/lists/:id/owner", confirmedAdmins, handOver),
];
