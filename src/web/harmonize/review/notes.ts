import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { textInLines } from "../../../contract/text.ts";
import { addNote, type Note, notesOf } from "../../../harmonize/review/notes.ts";
import { mayOnList } from "../../../harmonize/run/harmonizations.ts";
import { peopleOf } from "../../../harmonize/run/lists.ts";
import { goTo } from "../../../http/pages/forms.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { looksOnly, type Seen } from "../base/guards.ts";
import { type ReviewAt, reviewAt, reviewHref } from "./place.ts";

/** What a person writes about a row; the API reads it alike. */
export const noteText = textInLines("text", 1000);
const written = z.object({
  text: noteText,
  ask: z.union([z.literal(""), z.uuid()], { error: () => t("“ask” must be the id of a person") }).optional(),
});

/** `POST /harmonizations/:id/listings/:number/note` (`text`; `ask`, whom): writes a note or a question, and shows the card again. */
export async function writeNote(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  const { h, member, queue, listing } = await reviewAt(web, request, seen);
  const card = `${reviewHref(h, queue, listing.number)}#notes`;
  const { text, ask } = parseParameters(written, request.body);
  if (!text) return goTo(reply, card, { kind: "warning", message: t("Write something first.") });
  try {
    const { number } = listing;
    await addNote(web.pool, { h, person: member, number }, { text, askedId: ask || undefined });
  } catch (error) {
    if (!(error instanceof KnownError) || error.status !== 400) throw error;
    return goTo(reply, card, { kind: "danger", message: error.message });
  }
  return goTo(reply, card, { kind: "success", message: ask ? t("Your question is sent.") : t("Your note is saved.") });
}

/** The notes of a card; whom one may ask. */
export async function notesView({ pool }: Web, { h, member, listing }: ReviewAt) {
  const notes = await notesOf(pool, { h, number: listing.number });
  const looks = looksOnly({ h, member });
  const others = looks ? [] : (await peopleOf(pool, h.listId)).filter(({ accountId }) => accountId !== member.id);
  const mayAnswer = (id: string) => mayOnList("reviewer", { ...h, isShared: false }, { id, isAdmin: false });
  return {
    mayWrite: !looks,
    notes: notes.map(noteView),
    colleagues: others
      .filter(({ accountId }) => mayAnswer(accountId))
      .map(({ accountId, name }) => ({ id: accountId, name: name || t("somebody") })),
  };
}

export type NotesView = Awaited<ReturnType<typeof notesView>>;

const noteView = ({ by, asked, text, at, isOpen }: Note) => ({
  by: by ?? t("A former member"),
  text,
  isOpen,
  at: shownTime(at),
  asked: asked ?? undefined,
});
