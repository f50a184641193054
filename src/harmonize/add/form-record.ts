import { createHash } from "node:crypto";
import type { AddVenueParameters } from "../../contract/parameters.ts";
import { Prisma } from "../../db/generated/client.ts";
import { storable } from "../../shared/storable.ts";
import type { Deps } from "../run/long-task.ts";
import type { AddRecord } from "./record.ts";
import type { AddRow } from "./rows.ts";
import type { BegunAdd } from "./rules.ts";

type Database = Pick<Deps, "prisma">;

interface FilledForm {
  accountId: string;
  formKey: string;
  venue: AddVenueParameters;
}

/** Returns the record of a form: sent again it is the same add; with other content it adds another venue. */
export function formRecord({ prisma }: Database, { accountId, formKey, venue }: FilledForm): AddRecord {
  const key = createHash("sha256")
    .update(JSON.stringify([formKey, venue]))
    .digest("base64url");
  return {
    keyOf: () => key,
    async read() {
      const [row] = await prisma.$queryRaw<Omit<AddRow, "decision">[]>`
        SELECT venue_id AS "venueId", venue_name AS "venueName", adding,
               extract(epoch FROM now() - (adding->>'since')::timestamptz)::float8 AS age
          FROM app.venue_add WHERE account_id = ${accountId}::uuid AND key = ${key}`;
      if (!row) return { decision: null, venueId: null, venueName: null, adding: null, age: null };
      return { ...row, decision: row.venueId === null ? null : "added" };
    },
    async claim(add) {
      const claimed = await prisma.$executeRaw`
        INSERT INTO app.venue_add (account_id, key, form_key, adding)
        VALUES (${accountId}::uuid, ${key}, ${formKey}, ${JSON.stringify(add)}::jsonb || jsonb_build_object('since', now()))
        ON CONFLICT DO NOTHING`;
      return claimed === 1;
    },
    async countAgain() {
      const counted = await prisma.$executeRaw`
        UPDATE app.venue_add SET adding = jsonb_set(adding, '{again}', to_jsonb((adding->>'again')::int + 1))
         WHERE account_id = ${accountId}::uuid AND key = ${key} AND adding IS NOT NULL`;
      return counted === 1;
    },
    clear: () => forget(prisma, accountId, key),
    async commit(_add, { id, name }) {
      const made = { venueId: storable(id), venueName: storable(name), adding: Prisma.DbNull };
      await prisma.venueAdd.updateMany({ where: { accountId, key, venueId: null }, data: made });
    },
    park: () => forget(prisma, accountId, key),
  };
}

async function forget(prisma: Database["prisma"], accountId: string, key: string): Promise<void> {
  await prisma.venueAdd.deleteMany({ where: { accountId, key, venueId: null } });
}

export async function interruptedForm(
  { prisma }: Database,
  accountId: string,
): Promise<Omit<FilledForm, "accountId"> | undefined> {
  const [row] = await prisma.$queryRaw<{ formKey: string; adding: BegunAdd }[]>`
    SELECT form_key AS "formKey", adding FROM app.venue_add
     WHERE account_id = ${accountId}::uuid AND adding IS NOT NULL
       AND (adding->>'since')::timestamptz < now() - interval '15 seconds'
     ORDER BY created_at DESC LIMIT 1`;
  return row && { formKey: row.formKey, venue: row.adding.venue };
}
