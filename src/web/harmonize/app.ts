import type { FastifyInstance } from "fastify";
import type { Web } from "../deps.ts";
import { registerAddAsNew } from "./add-as-new.ts";
import { registerConflicts } from "./conflicts.ts";
import { registerDraft } from "./draft.ts";
import { registerExport } from "./export.ts";
import { registerList } from "./list.ts";
import { registerMappings } from "./mappings.ts";
import { registerReview } from "./review.ts";
import { registerRun } from "./run.ts";
import { registerShow } from "./show.ts";
import { registerUpload } from "./upload.ts";

/** `/harmonizations` and `/mappings`: whole files of listings. */
export async function registerHarmonize(app: FastifyInstance, web: Web): Promise<void> {
  registerList(app, web);
  await registerUpload(app, web);
  registerShow(app, web);
  registerDraft(app, web);
  registerRun(app, web);
  registerReview(app, web);
  registerAddAsNew(app, web);
  registerConflicts(app, web);
  registerExport(app, web);
  registerMappings(app, web);
}
