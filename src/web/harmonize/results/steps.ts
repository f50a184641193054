import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type CsvColumns, csvHead, csvRows } from "../../../harmonize/export/csv.ts";
import {
  countSteps,
  decidersOf,
  type ListStep,
  listSteps,
  type StepFilter,
  type StepState,
  undoSteps,
} from "../../../harmonize/review/steps.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import type { Via } from "../../../harmonize/run/write-decisions.ts";
import { goTo } from "../../../http/pages/forms.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { badRequest } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { sendFile } from "../../base/download.ts";
import { sendPage } from "../../base/page.ts";
import type { Seen } from "../base/guards.ts";

const PAGE_SIZE = 100;
/** Steps of a piece of the download. */
const AT_ONCE = 2000;

/** An empty field of a form is none. */
const optional = <S extends z.ZodType<string>>(schema: S) =>
  z.union([z.literal("").transform(() => undefined), schema]).optional();
const filter = {
  by: optional(z.uuid({ error: () => t("“by” must be the id of a person") })),
  day: optional(z.iso.date({ error: () => t("“day” must be a date, such as 2026-11-24") })),
};
const asked = z.object({
  ...filter,
  before: z
    .string()
    .regex(/^[0-9]{1,18}$/, { error: () => t("“before” must be a number") })
    .optional(),
});
const chosen = z.object(filter);

/** `GET /harmonizations/:id/steps` (`by`, `day`): all decisions of people in the editions of the list, the latest first. */
export async function showSteps(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  const { before, ...which } = parseParameters(asked, request.query);
  const isNarrowed = which.by !== undefined || which.day !== undefined;
  const [steps, people, open] = await Promise.all([
    listSteps(web.pool, h, member, { ...which, before, most: PAGE_SIZE + 1 }),
    decidersOf(web.pool, h),
    isNarrowed ? countSteps(web.pool, h, member, which) : 0,
  ]);
  const shown = steps.slice(0, PAGE_SIZE);
  const last = steps.length > PAGE_SIZE ? shown.at(-1)?.id : undefined;
  return sendPage(reply, member, "harmonize/results/steps", {
    title: t("Decisions in {name}", { name: h.list.name }),
    file: { name: h.name, href: `/harmonizations/${h.id}` },
    list: h.list.name,
    by: which.by ?? "",
    day: which.day ?? "",
    people: people.map(({ id, name }) => ({ id, name: name ?? t("somebody") })),
    steps: shown.map(stepView),
    undoable: isOwner(h, member) ? open : 0,
    downloadHref: hrefOf(h, which, { page: "steps/download" }),
    pager: {
      newer: before === undefined ? undefined : hrefOf(h, which),
      older: last === undefined ? undefined : hrefOf(h, which, { before: last }),
    },
  });
}

/** `GET /harmonizations/:id/steps/download` (`by`, `day`): the same as CSV. */
export async function sendSteps(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  const which = parseParameters(chosen, request.query);
  async function* pieces() {
    yield csvHead(COLUMNS);
    for (let before: string | undefined; ; ) {
      const steps = await listSteps(web.pool, h, member, { ...which, before, most: AT_ONCE });
      if (steps.length > 0) yield csvRows(COLUMNS, steps);
      before = steps.at(-1)?.id;
      if (steps.length < AT_ONCE) return;
    }
  }
  return sendFile(request, reply, { name: "decisions.csv", mediaType: "text/csv; charset=utf-8" }, pieces());
}

/** `POST /harmonizations/:id/steps/undo` (`by`, `day`, at least one): undoes all of these, in every edition. */
export async function undoThese(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  const which = parseParameters(chosen, request.body);
  if (which.by === undefined && which.day === undefined)
    throw badRequest(t("Choose a person or a day first. Nothing was changed."));
  const { restored, kept, left } = await undoSteps(web.harmonizer, h, member, which);
  const parts = [
    t("{restored, plural, one {# decision is} other {# decisions are}} undone.", { restored }),
    kept > 0
      ? t(
          "{kept, plural, one {# row} other {# rows}} of other editions had kept these decisions and no longer {kept, plural, one {does} other {do}}.",
          { kept },
        )
      : "",
    left > 0
      ? t(
          "{left, plural, one {# decision stays} other {# decisions stay}}, because the row was decided again since, or its former venue is gone.",
          { left },
        )
      : "",
  ];
  return goTo(reply, hrefOf(h, which), { kind: "success", message: parts.filter(Boolean).join(" ") });
}

const COLUMNS: CsvColumns<ListStep> = {
  time: (step) => step.at.toISOString(),
  by: (step) => step.by ?? "",
  file: (step) => step.file.name,
  line: (step) => String(step.line),
  id: (step) => step.ownId ?? "",
  name: (step) => step.name ?? "",
  before: (step) => step.before.decision ?? "",
  venue_before: (step) => step.before.venueId ?? "",
  after: (step) => step.after.decision ?? "",
  venue_after: (step) => step.after.venueId ?? "",
  from: (step) => step.via ?? "",
  undone_at: (step) => step.undoneAt?.toISOString() ?? "",
  undone_by: (step) => step.undoneBy ?? "",
};

function hrefOf(
  { id }: Pick<Harmonization, "id">,
  { by, day }: StepFilter,
  more: { before?: string; page?: string } = {},
): string {
  const { before, page = "steps" } = more;
  const query = new URLSearchParams({ ...(by && { by }), ...(day && { day }), ...(before && { before }) });
  return `/harmonizations/${id}/${page}${query.size > 0 ? `?${query}` : ""}`;
}

const vias = (): Record<Via, string> => ({
  card: t("the card"),
  family: t("all similar rows"),
  results: t("the results"),
  bridge: t("a bridge file"),
  add: t("the form for a new venue"),
  repair: t("a repair"),
  program: t("a program"),
});

function stateInWords({ decision, venueName, venueId }: StepState): string {
  const name = venueName ?? venueId ?? "";
  if (decision === "matched") return t("matched with {name}", { name });
  if (decision === "added") return t("added as {name}", { name });
  return decision === "rejected" ? t("no venue") : t("undecided");
}

function stepView(step: ListStep) {
  const { at, by, file, number, line, ownId, name, before, after, via, isMove, undoneAt, undoneBy } = step;
  const isPutOff = after.decision === null && before.decision === null && after.skippedAt !== before.skippedAt;
  return {
    at: shownTime(at),
    by: by ?? t("A former member"),
    file: { name: file.name, href: `/harmonizations/${file.id}` },
    row: {
      name: name ?? t("No name"),
      ownId: ownId ?? undefined,
      line,
      href: `/harmonizations/${file.id}/review/${number}`,
    },
    before: stateInWords(before),
    after: isMove ? t("position corrected") : isPutOff ? t("skipped") : stateInWords(after),
    via: via ? vias()[via] : "",
    undone: undoneAt ? { at: shownTime(undoneAt), by: undoneBy ?? undefined } : undefined,
  };
}
export type StepRow = ReturnType<typeof stepView>;
