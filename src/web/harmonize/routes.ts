import { anyone, rowsFor } from "../../http/routes.ts";
import type { Web } from "../base/deps.ts";
import { members } from "../base/members.ts";
import { addAll, showAddAll } from "./add/add-all.ts";
import { addAsNew, filledIn, showAddAsNew } from "./add/add-as-new.ts";
import { addPage, repairPositions } from "./add/held-back.ts";
import {
  connectedOwners,
  connectedReviewers,
  harmonizationOf,
  onlookers,
  owners,
  reviewers,
  viewers,
} from "./base/guards.ts";
import { changePeople, showPeople } from "./base/people.ts";
import { deleteFiles } from "./delete-files.ts";
import { changeColumns } from "./draft/draft.ts";
import { showExample } from "./example.ts";
import { showList } from "./list.ts";
import { findMappings, showMappings } from "./mappings.ts";
import { repair, repairsPage, sendRepairs, showRepairs, undoOne } from "./repairs.ts";
import { sendBridgeFile, sendBridgeRows, showBridge, undoBridge } from "./results/bridge.ts";
import { chooseCategories, chosenOn } from "./results/categories.ts";
import { changeCuts } from "./results/change-cuts.ts";
import { lookAgain, sendChanges, showChanges } from "./results/changes.ts";
import { findConflicts, showConflictsPage } from "./results/conflicts.ts";
import { sendExport } from "./results/export.ts";
import { decideRows, undoRows } from "./results/rows.ts";
import { sendSteps, showSteps, undoThese } from "./results/steps.ts";
import { decideListing } from "./review/decide.ts";
import { decideAll, showFamily } from "./review/family.ts";
import { mend } from "./review/mend.ts";
import { writeNote } from "./review/notes.ts";
import { cardOf } from "./review/place.ts";
import { goToCard, keepListing, review, showCard, undoLast } from "./review/review.ts";
import { keepStreams, sendEvents } from "./run/events.ts";
import * as run from "./run/run.ts";
import { showHarmonization } from "./run/show.ts";
import { acceptFiles, upload } from "./upload.ts";
import { changeWebhook, showWebhook, webhookOf } from "./webhook.ts";

const { get, post } = rowsFor<Web>();

const LISTING = "/harmonizations/:id/listings/:number";

/** Room for a thousand ids, form-encoded. */
const MAPPINGS_BYTES = 512 * 1024;

export const harmonizeRoutes = [
  get("/example", anyone, showExample),
  get("/harmonizations", members, showList),
  post("/harmonizations", members, upload, { cost: "transfer", prepare: acceptFiles }),
  post("/harmonizations/delete", members, deleteFiles, { returnTo: () => "/harmonizations" }),
  get("/harmonizations/:id", onlookers, showHarmonization),
  get("/harmonizations/:id/events", viewers, sendEvents, { cost: "stream", prepare: keepStreams }),
  post("/harmonizations/:id/columns", owners, changeColumns),
  post("/harmonizations/:id/pause", owners, run.pause),
  post("/harmonizations/:id/resume", owners, run.resume),
  post("/harmonizations/:id/cancel", owners, run.cancel),
  post("/harmonizations/:id/retry", owners, run.retry),
  post("/harmonizations/:id/town", connectedOwners, run.retryInTown),
  post("/harmonizations/:id/again", owners, run.again),
  post("/harmonizations/:id/positions", owners, run.confirmPositions),
  post("/harmonizations/:id/cuts", owners, changeCuts),
  post("/harmonizations/:id/share", owners, run.share),
  get("/harmonizations/:id/people", viewers, showPeople),
  post("/harmonizations/:id/people", owners, changePeople),
  get("/harmonizations/:id/webhook", owners, showWebhook),
  post("/harmonizations/:id/webhook", owners, changeWebhook, { returnTo: webhookOf }),
  post("/harmonizations/:id/rename", owners, run.rename),
  post("/harmonizations/:id/delete", owners, run.deleteIt),
  get("/harmonizations/:id/add", connectedOwners, showAddAll, { returnTo: addPage }),
  post("/harmonizations/:id/add", connectedOwners, addAll, { returnTo: addPage }),
  post("/harmonizations/:id/repair", connectedOwners, repairPositions, { returnTo: addPage }),
  post("/harmonizations/:id/categories", connectedOwners, chooseCategories, { returnTo: chosenOn }),
  post("/harmonizations/:id/undo-adding", owners, run.undoAdding),
  post("/harmonizations/:id/annotate", owners, run.annotate),
  get("/harmonizations/:id/export", onlookers, sendExport, { cost: "transfer" }),
  get("/harmonizations/:id/conflicts", viewers, showConflictsPage),
  post("/harmonizations/:id/conflicts", reviewers, findConflicts),
  get("/harmonizations/:id/changes", viewers, showChanges),
  post("/harmonizations/:id/changes", owners, lookAgain),
  get("/harmonizations/:id/changes/download", viewers, sendChanges, { cost: "transfer" }),
  get("/harmonizations/:id/steps", viewers, showSteps),
  get("/harmonizations/:id/steps/download", viewers, sendSteps, { cost: "transfer" }),
  post("/harmonizations/:id/steps/undo", owners, undoThese),
  get("/harmonizations/:id/repairs", viewers, showRepairs),
  post("/harmonizations/:id/repairs", reviewers, repair, { returnTo: repairsPage }),
  post("/harmonizations/:id/repairs/undo", reviewers, undoOne, { returnTo: repairsPage }),
  get("/harmonizations/:id/repairs/download", viewers, sendRepairs, { cost: "transfer" }),
  get("/harmonizations/:id/bridge", viewers, showBridge),
  post("/harmonizations/:id/bridge", owners, sendBridgeFile, { cost: "transfer", prepare: acceptFiles }),
  get("/harmonizations/:id/bridge/rows", viewers, sendBridgeRows, { cost: "transfer" }),
  post("/harmonizations/:id/bridge/undo", owners, undoBridge),

  post("/harmonizations/:id/listings", reviewers, decideRows, { returnTo: harmonizationOf }),
  post("/harmonizations/:id/listings/undo", reviewers, undoRows, { returnTo: harmonizationOf }),
  get("/harmonizations/:id/review", onlookers, review),
  get("/harmonizations/:id/review/:number", onlookers, showCard),
  get(LISTING, viewers, goToCard),
  post(LISTING, reviewers, decideListing, { returnTo: cardOf }),
  get(`${LISTING}/mend`, viewers, goToCard),
  post(`${LISTING}/mend`, connectedReviewers, mend, { returnTo: cardOf }),
  post(`${LISTING}/note`, reviewers, writeNote, { returnTo: cardOf }),
  post(`${LISTING}/lock`, reviewers, keepListing),
  get(`${LISTING}/family`, reviewers, showFamily),
  post(`${LISTING}/family`, reviewers, decideAll, { returnTo: cardOf }),
  get(`${LISTING}/add`, connectedReviewers, showAddAsNew),
  post(`${LISTING}/add`, connectedReviewers, addAsNew, { returnTo: filledIn }),
  post("/harmonizations/:id/undo", reviewers, undoLast, { returnTo: cardOf }),

  get("/mappings", members, showMappings),
  post("/mappings", members, findMappings, { bodyLimit: MAPPINGS_BYTES, returnTo: () => "/mappings" }),
];
