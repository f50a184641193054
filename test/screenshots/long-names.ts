import { samespot } from "../../bench/support/programs.ts";
import type { Scratch } from "../../bench/support/scratch.ts";
import type { Database } from "../../src/db/database.ts";
import type { Candidate } from "../../src/harmonize/run/rows.ts";
import { type MadeListing, makeCandidate, makeHarmonization } from "../harmonize/rows.ts";

export const WORD = "Donaudampfschifffahrtselektrizitatenhauptbetriebswerkbauunter";
export const ARABIC = "مقهى الشرق الأوسط";
const STREET = "شارع النيل ٥";
const TOWN = "القاهرة";
const LONG = { name: WORD, address: `${WORD} 1`, city: WORD, state: WORD, description: `${WORD} ${ARABIC}` };
const RIGHT_TO_LEFT = { name: ARABIC, address: STREET, city: TOWN, description: ARABIC };

interface Place {
  scratch: Scratch;
  database: Database;
  /** Base address of the API host. */
  api: string;
  /** Whose data it becomes. */
  handle: string;
}

/**
 * Brings words of 60 letters and Arabic names wherever people, files or the directory can: venues that wait for approval, check-ins,
 * proposals, and a file with a listing of each outcome. Returns paths in the web app.
 */
export async function addLongNames({
  scratch,
  database,
  api,
  handle,
}: Place): Promise<{ file: string; venue: string }> {
  const { client_id: clientId } = (await applications(scratch))[0] ?? {};
  const { answer } = await samespot(scratch, ["token", "issue", "--user", handle, "--client-id", String(clientId)]);
  const call = caller(api, String(answer.access_token));
  const [{ id: sample, categoryId }] = await sampleVenues(database);
  const at = { ll: "41.8236,-71.4222", primaryCategoryId: categoryId };
  const { venue } = await call("venues/add", { ...LONG, ...at });
  const { venue: other } = await call("venues/add", { ...RIGHT_TO_LEFT, ...at });
  for (const [id, shout] of [
    [venue.id, `${WORD} ${ARABIC}`],
    [other.id, ARABIC],
  ] as const)
    await call("checkins/add", { venueId: id, shout });
  await call("venues/propose", { venueId: sample, name: WORD, address: `${WORD} 1`, comment: `${WORD} ${ARABIC}` });
  await call("venues/propose", { venueId: sample, name: ARABIC, city: TOWN, comment: ARABIC });
  const { id: accountId } = await database.prisma.account.findFirstOrThrow({ where: { handle } });
  const { id } = await makeHarmonization(database, accountId, listings(venue.id, other.id), {
    ...{ directory: api, name: `${WORD}-${ARABIC}.csv`, isShared: false },
    header: [WORD, ARABIC, "lat", "lng", `${WORD} 2`, TOWN],
  });
  return { file: `/harmonizations/${id}`, venue: `/venues/${venue.id}` };
}

async function applications(scratch: Scratch): Promise<Record<string, unknown>[]> {
  const { answer } = await samespot(scratch, ["application", "list"]);
  return answer.applications as Record<string, unknown>[];
}

async function sampleVenues({ pool }: Database): Promise<[{ id: string; categoryId: string }]> {
  const { rows } = await pool.query('SELECT id, category_id AS "categoryId" FROM directory.venue ORDER BY id LIMIT 1');
  return rows as [{ id: string; categoryId: string }];
}

const caller = (api: string, token: string) => async (path: string, parameters: Record<string, string>) => {
  const body = new URLSearchParams({ ...parameters, oauth_token: token, v: "20260101" });
  const answer = await fetch(`${api}/v2/${path}`, { method: "POST", body });
  const { meta, response } = (await answer.json()) as { meta: object; response: { venue: { id: string } } };
  if (!answer.ok) throw new Error(`${path} answers ${JSON.stringify(meta)}.`);
  return response;
};

/** One of each outcome; the second is held back, as it may be another. */
function listings(long: string, arabic: string): MadeListing[] {
  const candidate = (id: string, score: number, shown: Partial<Candidate>): Candidate => ({
    ...makeCandidate(id, score, { name: 2.1, distance: 1.4, zip: -0.6 }),
    ...{ category: WORD, phone: "+1 401 555 0100", credit: `${WORD} ${ARABIC}`, ...shown },
  });
  const candidates = (score: number) => [
    candidate(long, score, { name: WORD, address: `${WORD} 1`, city: WORD }),
    candidate(arabic, score / 2, { name: ARABIC, address: STREET, city: TOWN }),
  ];
  const why = { code: "evidence" as const, said: [`“${WORD}” is “${ARABIC}”`] };
  const decided = { decidedHow: "person" as const, decidedAt: new Date("2026-03-04T08:41:00Z"), why };
  return [
    { name: WORD, candidates: candidates(0.5) },
    { name: ARABIC, candidates: candidates(0.95) },
    { name: WORD, candidates: candidates(0.99), more: { isClear: true } },
    { name: ARABIC },
    {
      name: ARABIC,
      candidates: candidates(0.6),
      more: { ...decided, decision: "matched", venueId: long, venueName: WORD },
    },
    {
      name: WORD,
      more: { status: "failed", problem: { code: "no_place", column: WORD, value: ARABIC } },
    },
  ];
}
