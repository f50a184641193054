import { readConflicts } from "./conflicts.ts";
import * as decisions from "./decisions.ts";
import * as drafts from "./drafts.ts";
import type { Endpoint } from "./endpoint.ts";
import * as files from "./files.ts";
import * as listings from "./listings.ts";
import * as lists from "./lists.ts";
import { findMappings } from "./mappings.ts";
import * as repairs from "./repairs.ts";
import * as reviewing from "./reviewing.ts";
import * as steps from "./steps.ts";
import * as venues from "./venues.ts";

/** By the headings of the documentation, in its order. */
export const ENDPOINTS: Record<"files" | "rows" | "venues" | "lists", readonly Endpoint[]> = {
  files: [
    files.listFiles,
    files.uploadFile,
    files.readFile,
    files.changeFile,
    files.deleteFile,
    drafts.readColumns,
    drafts.changeColumns,
    drafts.tryFile,
    drafts.startFile,
    files.answerAboutPositions,
    files.pauseFile,
    files.resumeFile,
    files.cancelFile,
    files.retryFile,
    files.beginFileAgain,
    files.changeCuts,
    repairs.readRepairs,
    repairs.repairRows,
    repairs.undoOneRepair,
    venues.exportFile,
  ],
  rows: [
    listings.listRows,
    listings.readRow,
    decisions.decideRow,
    decisions.decideRows,
    decisions.decideAll,
    decisions.undoDecision,
    listings.readEdition,
    venues.sendBridge,
    venues.readBridge,
    venues.downloadBridgeRows,
    reviewing.mendRow,
    reviewing.takeMendBack,
    reviewing.readFamily,
    reviewing.decideFamilyOf,
    reviewing.readNotes,
    reviewing.writeNoteOnRow,
    readConflicts,
    steps.listStepsOfList,
    steps.undoStepsOfList,
    venues.undoBridge,
    findMappings,
  ],
  venues: [
    reviewing.listCategories,
    reviewing.chooseCategories,
    venues.addVenues,
    venues.undoAdding,
    venues.writeIds,
    venues.lookAtVenues,
    venues.readChanges,
    venues.downloadChanges,
  ],
  lists: [
    lists.readList,
    lists.renameList,
    lists.changePersonOfList,
    lists.readWebhook,
    lists.setWebhookOfList,
    lists.removeWebhookOfList,
    lists.sendDeliveryAgain,
  ],
};
