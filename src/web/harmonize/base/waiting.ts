import { unlessTooSlow } from "../../../db/bulk.ts";
import { type InHand, inHand, type Waiting } from "../../../harmonize/review/notes.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";

/** What waits for this member; undefined if nothing does. */
export function waitingInWords({ questions, answers }: Waiting): string | undefined {
  const parts = [
    questions > 0 && t("{count, plural, one {# question for you} other {# questions for you}}", { count: questions }),
    answers > 0 && t("{count, plural, one {# answer for you} other {# answers for you}}", { count: answers }),
  ];
  return parts.filter(Boolean).join(", ") || undefined;
}

/** Who has what of a file: questions with the address of their rows, and where others are reviewing. */
export async function inHandView({ pool }: Web, member: Member, h: Harmonization) {
  if (member.isGuest) return [];
  const people = (await inHand(pool, h).catch(unlessTooSlow)) ?? [];
  return people.flatMap((each) => (each.accountId === member.id ? own(each, h) : others(each, h)));
}

function own(mine: InHand, { id }: Harmonization) {
  const words = waitingInWords(mine);
  return words ? [{ words, href: `/harmonizations/${id}/review?show=asked` }] : [];
}

function others({ accountId, name: known, questions: count, line }: InHand, { id }: Harmonization) {
  const name = known ?? t("somebody");
  const words = t("{count, plural, one {# question} other {# questions}} for {name}", { count, name });
  return [
    ...(count > 0 ? [{ words, href: `/harmonizations/${id}?asked=${accountId}#listings` }] : []),
    ...(line === null
      ? []
      : [{ words: t("{name} is reviewing, at line {line, number}", { name, line }), href: undefined }]),
  ];
}
