import { z } from "zod";
import { wholeNumber } from "../../contract/parameters.ts";
import { type ListStep, listSteps, undoSteps } from "../../harmonize/review/steps.ts";
import { VIAS } from "../../harmonize/run/write-decisions.ts";
import { badRequest } from "../../shared/errors.ts";
import { cursorOf, fileEndpoint, ownerEndpoint, readCursor } from "./endpoint.ts";

const time = z.iso.datetime();

const state = z.object({
  decision: z.enum(["matched", "added", "rejected"]).nullable(),
  venue_id: z.string().nullable(),
});
const step = z.object({
  id: z.string(),
  at: time,
  by: z.object({ id: z.uuid(), name: z.string().nullable() }),
  file_id: z.uuid(),
  row: z.int(),
  before: state,
  after: state,
  via: z.enum(VIAS).nullable().meta({ description: "From where, such as the card of a row, or a program." }),
  undone_at: time.nullable(),
  undone_by: z.string().nullable(),
});

const stateView = ({ decision, venueId }: ListStep["before"]) => ({ decision, venue_id: venueId });

const stepView = (each: ListStep): z.output<typeof step> => ({
  id: each.id,
  at: new Date(each.at).toISOString(),
  by: { id: each.accountId, name: each.by },
  file_id: each.file.id,
  row: each.number,
  before: stateView(each.before),
  after: stateView(each.after),
  via: each.via,
  undone_at: each.undoneAt?.toISOString() ?? null,
  undone_by: each.undoneBy,
});

const which = {
  by: z.uuid().optional().meta({ description: "Id of a person." }),
  day: z.iso.date().optional().meta({ description: "In UTC." }),
};

export const listStepsOfList = fileEndpoint(
  {
    name: "listSteps",
    method: "GET",
    path: "/api/v1/files/:id/steps",
    scope: "read",
    summary: "Lists what people have decided in all editions of a file's list, the latest first",
    query: z.object({
      ...which,
      limit: wholeNumber("limit", 1, 200).default(100),
      cursor: z.string().max(100).optional().meta({ description: "`next_cursor` of the answer before." }),
    }),
    answer: z.object({ steps: z.array(step), next_cursor: z.string().nullable() }),
  },
  async ({ web, member, h, query }) => {
    const { limit, cursor, ...asked } = query;
    const before = readCursor(z.string().regex(/^\d{1,18}$/), cursor);
    const steps = await listSteps(web.pool, h, member, { ...asked, before, most: limit + 1 });
    const shown = steps.slice(0, limit);
    const last = steps.length > limit ? shown.at(-1) : undefined;
    return { steps: shown.map(stepView), next_cursor: last ? cursorOf(last.id) : null };
  },
);

export const undoStepsOfList = ownerEndpoint(
  {
    name: "undoSteps",
    method: "POST",
    path: "/api/v1/files/:id/steps/undo",
    scope: "decide",
    summary: "Undoes all that a person decided, or that was decided on a day, in all editions",
    body: z.object(which),
    answer: z.object({
      restored: z.int(),
      kept: z.int().meta({ description: "Rows of other editions that had kept them, and no longer do." }),
      left: z.int().meta({ description: "Decided otherwise since, or their former venue is gone: they stay." }),
    }),
  },
  async ({ web, member, h, body }) => {
    if (body.by === undefined && body.day === undefined) throw badRequest("Send by, a person, or day, or both.");
    return { ...(await undoSteps(web.harmonizer, h, member, body)) };
  },
);
