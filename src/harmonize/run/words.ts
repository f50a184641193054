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

/** A reason or a problem as people are told it, on pages, in downloads and on the command line. */
export function wordsOf(told: Reason | Problem): string {
  const { code } = told;
  const schema = Object.hasOwn(TABLE, code) ? TABLE[code] : undefined;
  const params = schema?.safeParse(told).data;
  // A process of a newer version may have written it.
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
  too_many_cells: ({ cells, columns }) => `This line has ${cells} cells, but the table has ${columns} columns.`,
  undecodable: ({ column }) =>
    `“${column}” holds bytes that are not text in the encoding of the file; they are shown as \uFFFD.`,
  no_name: () => "This listing has no name.",
  bad_name: ({ rule }) => NAME_RULES[rule],
  no_position: ({ value = "" }) => `“${value.slice(0, 100).toWellFormed()}” is not a position.`,
  position_out_of_range: ({ swapped }) =>
    `There is no such position. ${swapped ? `Latitude ${swapped.lat}, longitude ${swapped.lng}: are they swapped?` : RANGE}`,
  no_place: () => "This listing has neither a position nor a town.",
  ended_worker: ({ times }) =>
    `The program ended ${times} times while it worked on this listing, so it was left out. Run it again, or take it out of the file.`,
  unusable_name: () => "No venue can have its name.",
  unplaced: () => "It has no position.",
  no_category: ({ value }) =>
    `${value ? `The directory has no category “${value}”.` : "It has no category."} Choose one for all that have none.`,
  implausible_position: ({ ll, km, place }) =>
    `Its position, ${formatLl(ll)}, is ${km.toLocaleString("en")} km from ${place}. Look at it before you add it.`,
  add_unknown: () => "It is not known whether this was added. Look before adding it again.",
  decided: ({ venue = "another venue" }) => `This listing is already matched with “${venue}”. Undo that first.`,
  decided_meanwhile: ({ venue }) =>
    `“${venue}” was added to the directory, but somebody has meanwhile decided otherwise about the listing.`,
  already_on: ({ id, name, isOurs }) =>
    isOurs
      ? `Already on the venue “${name}” (${id}), where this file put it before its match was corrected. Ask the directory to remove it there, then annotate again.`
      : `Already on the venue “${name}” (${id}).`,
  positions_unanswered: () =>
    "The positions of this file look wrong. Say that they are right, or begin again with them put right. Nothing is added until then.",
  no_provider: () => "No provider id is reserved for this Samespot. The person who runs it has to set PROVIDER_ID.",
  not_connected: () => "The directory no longer accepts our access to your account. Connect again, then try once more.",
  too_many_rows: ({ most }) =>
    `A file may have ${most.toLocaleString("en")} rows. Split it and send its parts one after the other.`,
  worker_idle: ({ seconds }) => `the worker has not looked for tasks for ${seconds} seconds`,
  evidence: ({ said }) => said.join("; "),
  found_by_hand: () => "found by hand",
  none_alike: ({ venues }) => noneOf(venues),
  added: () => "added as new",
  added_with_others: () => "added as new, together with all others that had no match",
  found_before_adding: ({ said }) => ["found when it was to be added", ...said].join("; "),
  told: ({ said }) => said,
};

const NAME_RULES = {
  storable: "The name holds characters that cannot be stored.",
  length: "The name may have at most 200 characters.",
  letters: "The name needs a letter or a digit.",
};

const RANGE = "Latitude ranges from -90 to 90, longitude from -180 to 180.";

function noneOf(venues: number | undefined): string {
  if (venues === undefined) return "none of the venues like it";
  if (venues === 0) return "no venue is like it";
  return venues === 1 ? "not the one venue like it" : `none of the ${venues} venues like it`;
}
