import { formatLl, type LatLng } from "../../../contract/parameters.ts";
import { type DirectoryErrorKind, directoryErrorInWords } from "../../../directory-client/calls/errors.ts";

import { reasonInWords, refusalInWords } from "../../../language/sentences.ts";
import { t } from "../../../language/translate.ts";
import { CSV_PROBLEMS } from "../../../shared/csv/csv.ts";
import { PROBLEMS, type Problem, type ProblemCode, type ProblemOf } from "./problems.ts";
import { REASONS, type Reason, type ReasonCode, type ReasonOf } from "./reasons.ts";
import { repairInWords } from "./slips.ts";

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
  rejected: ({ near, ...refusal }) =>
    near === undefined
      ? directoryErrorInWords("rejected", refusal)
      : t("The directory knows no place “{near}”. Give a position, a town nearby, a state or a postal code.", { near }),
  not_found: ofDirectory("not_found"),
  invalid_answer: ofDirectory("invalid_answer"),
  rate_limited: ofDirectory("rate_limited"),
  duplicate: ofDirectory("duplicate"),
  conflict: ofDirectory("conflict"),
  unreadable_line: ({ line, why }) => t("Line {line}: {why}.", { line: String(line), why: CSV_PROBLEMS[why]() }),
  too_many_cells: ({ cells, columns }) =>
    t("This line has {cells} cells, but the file has {columns} columns.", {
      cells: String(cells),
      columns: String(columns),
    }),
  undecodable: ({ column }) =>
    t("“{column}” contains characters that were lost or cannot be read in this encoding; they are shown as \uFFFD.", {
      column,
    }),
  no_name: () => t("This row has no name."),
  bad_name: ({ rule }) => NAME_RULES[rule](),
  no_position: ({ value = "" }) => t("“{value}” is not a position.", { value: value.slice(0, 100).toWellFormed() }),
  position_out_of_range: ({ swapped }) =>
    swapped
      ? t("This position does not exist. Latitude {lat}, longitude {lng}: are they swapped?", {
          lat: String(swapped.lat),
          lng: String(swapped.lng),
        })
      : t("This position does not exist. Latitude ranges from -90 to 90, longitude from -180 to 180."),
  one_coordinate: ({ ll }) =>
    t("Latitude and longitude are the same, {value}: one was copied into the other.", { value: ll.lat }),
  no_place: () => t("This row has neither a position nor a town."),
  ended_worker: ({ times }) =>
    t(
      "Samespot stopped {times} times while working on this row, so it was skipped. Retry it, or remove it from the file.",
      { times: String(times) },
    ),
  unusable_name: () => t("The directory accepts no venue with this name."),
  unplaced: () => t("This row has no position."),
  no_category: ({ value }) =>
    value
      ? t("The directory has no category “{value}”. Choose one for all rows without a category.", { value })
      : t("This row has no category. Choose one for all rows without a category."),
  implausible_position: ({ ll, km, place, slip, wouldBe }) =>
    [
      t("The position {position} is {km, number} km from {place}. Check it before you add the row.", {
        position: formatLl(ll),
        km,
        place,
      }),
      wouldBe && t("With {repair}, it would be there: {position}.", suggested({ slip, wouldBe })),
    ]
      .filter(Boolean)
      .join(" "),
  mistyped_position: ({ ll, slip, wouldBe }) =>
    [
      t("The position {position} is far from the other rows of this file.", { position: formatLl(ll) }),
      t("With {repair}, it would be close to them: {position}.", suggested({ slip, wouldBe })),
      t("Check it before you add the row."),
    ].join(" "),
  add_unknown: () => t("Samespot does not know whether this row was added. Search for it before you add it again."),
  decided: ({ venue = t("another venue") }) =>
    t("This row is already matched with “{venue}”. Undo that decision first.", { venue }),
  decided_meanwhile: ({ venue }) =>
    t("“{venue}” was added to the directory, but somebody has since decided the row differently.", {
      venue,
    }),
  already_on: ({ id, name, isOurs }) =>
    isOurs
      ? t(
          "Already on the venue “{name}” ({id}), where this file put it before its match was corrected. Ask the directory to remove it there, then annotate again.",
          { id, name },
        )
      : t("Already on the venue “{name}” ({id}).", { id, name }),
  positions_unanswered: () =>
    t(
      "The positions in this file look wrong. Confirm them, or begin again with repaired positions. Until then no venues are added.",
    ),
  not_undone: ({ said }) => t("The addition could not be undone: {said}", { said }),
  venue_held: ({ rows, lists }) =>
    t(
      "The addition was not undone: {rows, plural, one {# row} other {# rows}} of {lists, plural, =0 {another edition} one {another list} other {# other lists}} {rows, plural, one {uses} other {use}} its venue.",
      { rows, lists },
    ),
  no_undo: () => t("This directory does not delete venues."),
  no_provider: () => t("No provider id is reserved for this Samespot. Ask whoever runs it to set PROVIDER_ID."),
  not_connected: () => t("The directory no longer accepts our access to your account. Connect again, then retry."),
  too_many_rows: ({ most }) =>
    t("A file may have at most {most, number} rows. Split it and upload the parts separately.", { most }),
  worker_idle: ({ seconds }) =>
    t("the worker has not looked for tasks for {seconds} seconds", { seconds: String(seconds) }),
  evidence: ({ said }) => said.map(reasonInWords).join("; "),
  found_by_hand: ({ said }) => [t("chosen by search"), ...said.map(reasonInWords)].join("; "),
  none_alike: ({ venues }) => noneOf(venues),
  added: ({ held }) => (held ? t("added as new, waiting for approval") : t("added as new")),
  added_with_others: ({ held }) =>
    held
      ? t("added as new, together with all other rows without a match, waiting for approval")
      : t("added as new, together with all other rows without a match"),
  sent_back: () => t("sent back to review"),
  add_undone: () => t("the addition was undone"),
  venue_deleted: () => t("undecided again, because its venue was deleted from the directory"),
  found_before_adding: ({ said }) => [t("found in the directory before adding"), ...said.map(reasonInWords)].join("; "),
  elsewhere: ({ file, was }) =>
    was
      ? t("decided elsewhere, imported from “{file}” (there {was}, since merged into this venue)", {
          file,
          was,
        })
      : t("decided elsewhere, imported from “{file}”", { file }),
  told: ({ said }) => refusalInWords(said),
};

const suggested = ({ slip, wouldBe }: { slip?: string | undefined; wouldBe: LatLng }) => ({
  repair: repairInWords(slip) ?? t("a correction"),
  position: formatLl(wouldBe),
});

const NAME_RULES = {
  storable: () => t("The name contains characters that cannot be stored."),
  lost: () =>
    t(
      "In its name, \uFFFD stands for a character that was lost. Correct the name or, if the encoding of the file was wrong, upload it again.",
    ),
  length: () => t("The name may have at most 200 characters."),
  letters: () => t("The name must contain a letter or a digit."),
};

function noneOf(venues: number | undefined): string {
  if (venues === undefined) return t("none of the similar venues");
  return t(
    "{venues, plural, =0 {no similar venue} one {the only similar venue is another place} other {none of the # similar venues}}",
    { venues },
  );
}
