import { z } from "zod";
import { addRepairs, undoRepair } from "../../harmonize/repairs/change.ts";
import { type KeptRepair, MOST_REPAIRS, missingColumns, rowRepair } from "../../harmonize/run/row-repairs.ts";
import { type Call, fileEndpoint, requireSeenWith, reviewerEndpoint } from "./endpoint.ts";

const answer = z.object({
  repairs: z
    .array(
      z.object({
        id: z.uuid(),
        repair: rowRepair,
        by: z.uuid().nullable().meta({ description: "Id of the account; null on the command line." }),
        at: z.iso.datetime(),
        undone_at: z.iso.datetime().nullable(),
        is_under_way: z.boolean().meta({ description: "Whether the rows are being brought in line with it." }),
        missing_columns: z
          .array(z.string())
          .meta({ description: "Columns that this file does not have: it changes nothing here." }),
      }),
    )
    .meta({ description: "In the order in which they are made." }),
});

const viewOf = ({ repairs, header }: { repairs: KeptRepair[]; header: string[] }): z.output<typeof answer> => ({
  repairs: repairs.map(({ id, by, at, repair, undone, isUnderWay }) => ({
    id,
    repair,
    by,
    at,
    undone_at: undone?.at ?? null,
    is_under_way: isUnderWay ?? false,
    missing_columns: missingColumns(repair, header),
  })),
});

const now = async (call: Pick<Call<unknown, unknown>, "web" | "member" | "token">, id: string) =>
  viewOf(await requireSeenWith(call, id));

export const readRepairs = fileEndpoint(
  {
    name: "readRepairs",
    method: "GET",
    path: "/api/v1/files/:id/repairs",
    scope: "read",
    summary: "Lists the repairs of a file's rows, with those that are undone",
    answer,
  },
  async ({ h }) => viewOf(h),
);

export const repairRows = reviewerEndpoint(
  {
    name: "repairRows",
    method: "POST",
    path: "/api/v1/files/:id/repairs",
    scope: "decide",
    summary: "Repairs many rows by rules, which the next edition uses too",
    description:
      "A draft is read with them. Of a finished file, one at a time: rows that then say something else to the directory are matched again, and go back to review if a person has decided them. The file's own columns stay in every export.",
    body: z.object({ repairs: z.array(rowRepair).min(1).max(MOST_REPAIRS) }),
    answer,
    status: 202,
  },
  async (call) => {
    const { web, h, member, body, makes } = call;
    await addRepairs(web.harmonizer, h, member.id, body.repairs, makes);
    return now(call, h.id);
  },
);

export const undoOneRepair = reviewerEndpoint(
  {
    name: "undoRepair",
    method: "DELETE",
    path: "/api/v1/files/:id/repairs",
    scope: "decide",
    summary:
      "Undoes one repair: its rows follow from the file and the other repairs again, with the decisions that it took",
    query: z.object({ repair: z.uuid("repair must be the id of a repair") }),
    answer,
    status: 202,
  },
  async (call) => {
    await undoRepair(call.web.harmonizer, call.h, call.member.id, call.query.repair);
    return now(call, call.h.id);
  },
);
