import { VALUE_NAMES } from "../../contract/correction-parameters.ts";
import type { Proposal } from "../../contract/proposals.ts";
import { shownTime } from "../../http/pages/times.ts";
import { valueInWords, valueLabels } from "../../http/pages/venue-form.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { ignoreUnlessRefused } from "./place.ts";
import { venueHref } from "./view.ts";

/** Returns what the page of a venue shows of the member's proposals; undefined if the directory takes none or does not answer. */
export async function proposalsFor(web: Web, { auth }: Pick<Visit, "auth">, venueId: string) {
  if (!(await web.directory.takesProposals().catch(ignoreUnlessRefused))) return undefined;
  const own = (await web.directory.proposals(auth, { venueId }).catch(ignoreUnlessRefused))?.items ?? [];
  return { href: `${venueHref(venueId)}/edit`, own: own.map(proposalRow) };
}
export type VenueProposals = Awaited<ReturnType<typeof proposalsFor>>;

export function proposalRow({ values, duplicateOf, state, answer, createdAt, new: isNew }: Proposal) {
  const labels = valueLabels();
  const edits = VALUE_NAMES.flatMap((name) => {
    const value = values[name];
    if (value === undefined || isNew) return [];
    return [
      {
        label: labels[name],
        value: name === "primaryCategoryId" ? t("another") : valueInWords(name, value, () => undefined),
      },
    ];
  });
  return {
    edits,
    isNew: isNew ?? false,
    other: duplicateOf === undefined ? undefined : { href: venueHref(duplicateOf), id: duplicateOf },
    state: t("{state, select, open {Open} accepted {Accepted} withdrawn {Taken back} other {Declined}}", { state }),
    ...LOOKS[state],
    answer,
    at: shownTime(new Date(createdAt * 1000)),
  };
}

const LOOKS = {
  open: { tone: "accent", icon: "info" },
  accepted: { tone: "success", icon: "check" },
  declined: { tone: "danger", icon: "cross" },
  withdrawn: { tone: "accent", icon: "left" },
} as const;
