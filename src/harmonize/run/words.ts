import { formatLl } from "../../contract/parameters.ts";
import { type DirectoryErrorKind, directoryErrorInWords } from "../../directory-client/errors.ts";
import { CSV_PROBLEMS } from "../../shared/csv/csv.ts";
import { PROBLEMS, type Problem, type ProblemCode, type ProblemOf } from "./problems.ts";
import { REASONS, type Reason, type ReasonCode, type ReasonOf } from "./reasons.ts";

type Code = ProblemCode | ReasonCode;
type Words = { [C in Code]: (params: Params<C>) => string };
type Params<C extends Code> =
  | (C extends ProblemCode ? ProblemOf<C> : never)
  | (C extends ReasonCode ? ReasonOf<C> : never);

/** Words a reason or a problem for pages, downloads and the command line. */
export function wordsOf(told: Reason | Problem): string {
  const { code } = told;
  const schema = Object.hasOwn(TABLE, code) ? TABLE[code] : undefined;
  const params = schema?.safeParse(told).data;
  // A newer version may have written an unknown code.
  return params ? (WORDS[code] as (params: object) => string)(params) : code.replaceAll("_", " ");
}

const TABLE = { ...PROBLEMS, ...REASONS };

const ofDirectory = (kind: DirectoryErrorKind) => (params: ProblemOf<DirectoryErrorKind>) =>
  directoryErrorInWords(kind, params);

const WORDS: Words = {
  unreachable: ofDirectory("unreachable"),
  refused_token: ofDirectory("refused_token"),
  refused_client: ofDirectory("refused_client"),
  not_enabled: ofDirectory("not_enabled"),
  rejected: ofDirectory("rejected"),
  not_found: ofDirectory("not_found"),
  invalid_answer: ofDirectory("invalid_answer"),
  rate_limited: ofDirectory("rate_limited"),
  duplicate: ofDirectory("duplicate"),
  conflict: ofDirectory("conflict"),
  unreadable_line: ({ line, why }) => `Line ${line}: ${CSV_PROBLEMS[why]}.`,
  too_many_cells: ({ cells, columns }) => `This line has ${cells} cells, but the file has ${columns} columns.`,
  undecodable: ({ column }) =>
    `“${column}” contains characters that were lost or cannot be read in this encoding; they are shown as \uFFFD.`,
  no_name: () => "This listing has no name.",
  bad_name: ({ rule }) => NAME_RULES[rule],
  no_position: ({ value = "" }) => `“${value.slice(0, 100).toWellFormed()}” is not a position.`,
  position_out_of_range: ({ swapped }) =>
    `This position does not exist. ${swapped ? `Latitude ${swapped.lat}, longitude ${swapped.lng}: are they swapped?` : RANGE}`,
  no_place: () => "This listing has neither a position nor a town.",
  ended_worker: ({ times }) =>
    `Samespot stopped ${times} times while working on this listing, so it was skipped. Retry it, or remove it from the file.`,
  unusable_name: () => "The directory accepts no venue with this name.",
  unplaced: () => "This listing has no position.",
  no_category: ({ value }) =>
    `${value ? `The directory has no category “${value}”.` : "This listing has no category."} Choose one for all listings without a category.`,
  implausible_position: ({ ll, km, place }) =>
    `The position ${formatLl(ll)} is ${km.toLocaleString("en")} km from ${place}. Check it before you add the listing.`,
  add_unknown: () => "Samespot does not know whether this listing was added. Search for it before you add it again.",
  decided: ({ venue = "another venue" }) =>
    `This listing is already matched with “${venue}”. Undo that decision first.`,
  decided_meanwhile: ({ venue }) =>
    `“${venue}” was added to the directory, but meanwhile somebody has decided otherwise about the listing.`,
  already_on: ({ id, name, isOurs }) =>
    isOurs
      ? `Already on the venue “${name}” (${id}), where this file put it before its match was corrected. Ask the directory to remove it there, then annotate again.`
      : `Already on the venue “${name}” (${id}).`,
  positions_unanswered: () =>
    "The positions in this file look wrong. Confirm them, or begin again with repaired positions. Until then no venues are added.",
  not_undone: ({ said }) => `The add could not be undone: ${said}`,
  no_undo: () => "This directory does not delete venues.",
  no_provider: () => "No provider id is reserved for this Samespot. Ask whoever runs it to set PROVIDER_ID.",
  not_connected: () => "The directory no longer accepts our access to your account. Connect again, then retry.",
  too_many_rows: ({ most }) =>
    `A file may have at most ${most.toLocaleString("en")} rows. Split it and upload the parts separately.`,
  worker_idle: ({ seconds }) => `the worker has not looked for tasks for ${seconds} seconds`,
  evidence: ({ said }) => said.join("; "),
  found_by_hand: ({ said = [] }) => ["chosen by search", ...said].join("; "),
  none_alike: ({ venues }) => noneOf(venues),
  added: () => "added as new",
  added_with_others: () => "added as new, together with all other listings without a match",
  add_undone: () => "the add was undone",
  found_before_adding: ({ said }) => ["found in the directory before adding", ...said].join("; "),
  elsewhere: ({ file, was }) =>
    `decided elsewhere, taken over from “${file}”${was ? ` (there ${was}, which has been merged into this venue)` : ""}`,
  told: ({ said }) => said,
};

const NAME_RULES = {
  storable: "The name contains characters that cannot be stored.",
  lost: "In its name, \ufffd stands for a character that was lost. Correct the name or, if the encoding of the file was wrong, upload it again.",
  length: "The name may have at most 200 characters.",
  letters: "The name must contain a letter or a digit.",
};

const RANGE = "Latitude ranges from -90 to 90, longitude from -180 to 180.";

function noneOf(venues: number | undefined): string {
  if (venues === undefined) return "none of the similar venues";
  if (venues === 0) return "no similar venue";
  return venues === 1 ? "the only similar venue is another place" : `none of the ${venues} similar venues`;
}
