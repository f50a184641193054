import type { FastifyInstance } from "fastify";
import type { Web } from "../base/deps.ts";
import { registerAddAsNew } from "./add/add-as-new.ts";
import { registerDraft } from "./draft/draft.ts";
import { registerUpload } from "./draft/upload.ts";
import { registerList } from "./list.ts";
import { registerMappings } from "./mappings.ts";
import { registerConflicts } from "./results/conflicts.ts";
import { registerExport } from "./results/export.ts";
import { registerReview } from "./review/review.ts";
import { registerRun } from "./run/run.ts";
import { registerShow } from "./run/show.ts";

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
