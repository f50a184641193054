import type { FastifyReply, FastifyRequest } from "fastify";
import { type CsvColumns, csvHead, csvRows } from "../../harmonize/export/csv.ts";
import { type LookUp, lookUp, type Mapping, parseIds } from "../../harmonize/export/mappings.ts";
import { listHarmonizations, MOST_LISTED } from "../../harmonize/run/harmonizations.ts";
import { textField } from "../../http/pages/forms.ts";
import { shownTime } from "../../http/pages/times.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { sendFile } from "../base/download.ts";
import type { Member } from "../base/members.ts";
import { type PageData, sendPage } from "../base/page.ts";
import { creditsOf, venueHref } from "../venues/view.ts";

/** Characters of an address that every browser and proxy accepts. */
const SHORT = 1500;

/** `/mappings`: short queries are in the address, long ones are posted. */
export const showMappings = (web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) => {
  const ids = idsOf(request.query);
  return answer(web, request, reply, { member, ids, isFile: textField(request.query, "format") === "csv" });
};

export async function findMappings(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const ids = idsOf(request.body);
  const isFile = textField(request.body, "format") === "csv";
  const path = `/mappings?${new URLSearchParams({ ids: ids.trim() })}`;
  if (!isFile && path.length <= SHORT) return reply.redirect(path, 303);
  return answer(web, request, reply, { member, ids, isFile });
}

/** PostgreSQL does not store the character 0. */
const idsOf = (fields: unknown): string => textField(fields, "ids").replaceAll("\0", "");

interface Asked {
  member: Member;
  ids: string;
  isFile: boolean;
}

async function answer(web: Web, request: FastifyRequest, reply: FastifyReply, { member, ids, isFile }: Asked) {
  const { harmonizer } = web;
  const page = (status: number, more: Partial<PageData<"mappings/index">>) =>
    sendPage(reply.code(status), member, "mappings/index", { title: t("Look up ids"), ids, ...NOTHING, ...more });
  let asked: string[];
  try {
    asked = parseIds(ids);
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    return page(error.status, { error: error.message });
  }
  const files = await listHarmonizations(harmonizer, member);
  const about = { hasFiles: files.length > 0, mostFiles: files.length >= MOST_LISTED ? MOST_LISTED : undefined };
  if (asked.length === 0) return page(200, about);
  const found = await lookUp(harmonizer, member, asked);
  if (!isFile) return page(200, { ...about, found: view(found) });
  const file = { name: "mappings.csv", mediaType: "text/csv; charset=utf-8" };
  return sendFile(request, reply, file, [csvHead(COLUMNS) + csvRows(COLUMNS, found.mappings)]);
}

const NOTHING = { error: undefined, found: undefined, hasFiles: true, mostFiles: undefined };

const COLUMNS: CsvColumns<Mapping> = {
  listing_id: (mapping) => mapping.listingId,
  listing_name: (mapping) => mapping.listingName,
  venue_id: (mapping) => mapping.venueId,
  venue_name: (mapping) => mapping.venueName,
  file: (mapping) => mapping.file.name,
  score: (mapping) => mapping.score,
  decision: (mapping) => mapping.decision,
  decided_by: (mapping) => mapping.decidedBy,
  decided_at: (mapping) => mapping.decidedAt,
  superseded: (mapping) => (mapping.isSuperseded ? "yes" : "no"),
  attribution: (mapping) => mapping.attribution,
};

function view({ mappings, unknown, isCut }: LookUp) {
  const mapped = mappings.filter(({ venueId }) => venueId !== "").length;
  const without = mappings.length - mapped;
  const parts = [
    t("{mapped, plural, one {# mapping} other {# mappings}} found", { mapped }),
    without > 0 ? t("{without, plural, one {# row} other {# rows}} without a venue", { without }) : "",
    unknown.length > 0
      ? t("{unknown, plural, one {# unknown id} other {# unknown ids}}", { unknown: unknown.length })
      : "",
  ];
  return {
    rows: mappings.map(toRow),
    credits: creditsOf(mappings.map(({ attribution }) => ({ credit: attribution || undefined }))),
    unknown,
    isCut,
    heading: parts.filter(Boolean).join(", "),
  };
}
export type MappingsView = ReturnType<typeof view>;

/** For decisions that nobody took here. */
const HOW = new Map([
  ["rule", () => t("automatically")],
  ["kept", () => t("in the previous edition")],
]);

const DECISIONS: Record<Mapping["decision"], () => string> = {
  matched: () => t("matched"),
  added: () => t("added"),
  rejected: () => t("rejected"),
  review: () => t("review"),
  none: () => t("none"),
  failed: () => t("failed"),
  pending: () => t("pending"),
};

function toRow({ listingId, listingName, number, file, venueId, venueName, ...rest }: Mapping) {
  const { decision, decidedBy, decidedAt, isSuperseded } = rest;
  return {
    listing: { id: listingId, name: listingName, href: `/harmonizations/${file.id}/review/${number}` },
    venue: venueId ? { id: venueId, name: venueName, href: venueHref(venueId) } : undefined,
    file: { name: file.name, href: `/harmonizations/${file.id}` },
    decision,
    label: DECISIONS[decision](),
    decidedBy,
    isSuperseded,
    how: HOW.get(decidedBy)?.(),
    when: decidedAt ? shownTime(new Date(decidedAt)) : undefined,
  };
}
