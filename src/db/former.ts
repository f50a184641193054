import type pg from "pg";
import { apply, readMigration } from "./migration-files.ts";

/** The migrations that came before the first release, all of which `init` has replaced. */
export const FORMER = { first: "20261121025148_init", last: "20261127080000_listing_edition", count: 43 };

export const isFormer = (name: string): boolean => name >= FORMER.first && name <= FORMER.last;

/** What to do with a database that does not have all of them. */
export const FORMER_REMEDY = `Start the last version that has the migration ${FORMER.last} on it once, then this one.`;

/** Takes away what they have left behind, and completes what they stored in other forms. */
const TO_INIT = `
  DROP FUNCTION app.code_reason, app.code_annotation, app.code_problem, app.code_inserted_problem, app.code_task, app.code_trial CASCADE;
  DROP FUNCTION app.task_in_code, app.trial_in_code, app.reason_in_code, app.problem_in_code;
  ALTER TABLE app.listing DROP COLUMN reason, DROP COLUMN annotation_error, DROP COLUMN tries; -- and their CHECK
  ALTER TABLE app.listing ADD CONSTRAINT listing_codes CHECK (
      (problem IS NULL OR coalesce(problem->>'code' ~ '^[a-z_]+$', false))
      AND (why IS NULL OR coalesce(why->>'code' ~ '^[a-z_]+$', false))
      AND (annotation_problem IS NULL OR coalesce(annotation_problem->>'code' ~ '^[a-z_]+$', false)));
  UPDATE app.listing SET why = why || '{"said": []}' WHERE why->>'code' = 'found_by_hand' AND NOT why ? 'said';
  UPDATE app.harmonization SET task = task || jsonb_build_object('report', '{"heldBack": 0, "left": 0, "held": 0}' || (task->'report'))
   WHERE task ? 'report';
  UPDATE directory.venue_proposal SET into_id = NULL WHERE into_id = '';
  DELETE FROM public._prisma_migrations;
`;

/** Brings a database that has them all to `init`, and says so in its history. Its rows stay. Returns whether it was one. */
export async function fromFormer(
  client: pg.Client,
  history: readonly { name: string; finished: boolean }[],
  { folder, init }: { folder: string; init: string | undefined },
): Promise<boolean> {
  const former = history.filter(({ name, finished }) => finished && isFormer(name));
  if (!init || former.length < FORMER.count || history.length > former.length) return false;
  await apply(client, init, { ...(await readMigration(folder, init)), sql: TO_INIT });
  return true;
}
