import type { Problem } from "../../src/harmonize/run/problems/problems.ts";
import type { Reason } from "../../src/harmonize/run/problems/reasons.ts";

/** A problem as stored before there were codes, and the code that it becomes. */
interface OldProblem {
  old: { code: string; message: string; column?: string; value?: string; at?: string };
  now: Problem & { at?: string };
}

const cell = { column: "Name", value: "?" };
const range = { column: "lat", value: "181" };
const at = "2026-11-22T10:00:00.000Z";

const problem = (code: string, message: string, now: OldProblem["now"], more: object = {}): OldProblem => ({
  old: { code, message, ...more },
  now: { ...now, ...more },
});

const csv = (words: string, why: "open" | "trailing" | "long" | "many") =>
  problem("unreadable_line", `Line 12: ${words}.`, { code: "unreadable_line", line: 12, why });

export const OLD_PROBLEMS: OldProblem[] = [
  problem("no_name", "This listing has no name.", { code: "no_name" }, { column: "Name" }),
  problem("bad_name", "name holds characters that cannot be stored.", { code: "bad_name", rule: "storable" }, cell),
  problem("bad_name", "name may have at most 200 characters.", { code: "bad_name", rule: "length" }, cell),
  problem("bad_name", "name must hold a letter or a digit.", { code: "bad_name", rule: "letters" }, cell),
  problem("no_position", "“?” is no position.", { code: "no_position" }, cell),
  problem(
    "no_position",
    `“${"9".repeat(100)}” is no position.`,
    { code: "no_position" },
    { column: "ll", value: "9".repeat(300) },
  ),
  problem(
    "position_out_of_range",
    "There is no such position. Latitude -71.41, longitude 141.5: are they swapped?",
    { code: "position_out_of_range", swapped: { lat: -71.41, lng: 141.5 } },
    range,
  ),
  problem(
    "position_out_of_range",
    "There is no such position. Latitude goes from -90 to 90, longitude from -180 to 180.",
    { code: "position_out_of_range" },
    range,
  ),
  problem("no_place", "This listing has neither a position nor a town.", { code: "no_place" }, { column: "lat" }),
  csv("a quote is opened and not closed", "open"),
  csv('something stands between a closing quote and the next cell (a quote inside quotes is written "")', "trailing"),
  csv("the line is longer than a million characters", "long"),
  csv("the line has more than 20000 cells", "many"),
  problem(
    "too_many_cells",
    "This line has 4 cells, but the table 3 columns.",
    { code: "too_many_cells", cells: 4, columns: 3, value: "d" },
    { value: "d" },
  ),
  problem(
    "undecodable",
    "“Name” holds bytes that are no text in the encoding of the file; they are shown as \uFFFD.",
    { code: "undecodable", column: "Name", value: "Caf\uFFFD" },
    { column: "Name", value: "Caf\uFFFD" },
  ),
  problem(
    "ended_worker",
    "The program ended 3 times while it worked on this listing, so it was left out. Run it again, or take it out of the file.",
    { code: "ended_worker", times: 3 },
  ),
  problem("no_name", "It has no name that a venue can have.", { code: "unusable_name" }, { at }),
  problem("no_position", "It has no position.", { code: "unplaced" }, { at }),
  problem(
    "no_category",
    "The directory has no category “Pub”. Choose one for all that have none.",
    { code: "no_category" },
    { column: "kind", value: "Pub", at },
  ),
  problem("no_category", "It has no category. Choose one for all that have none.", { code: "no_category" }, { at }),
  problem(
    "implausible_position",
    "Its position, 41.82,-71.413, is 1,204 km from Bristol, RI. Look at it before you add it.",
    { code: "implausible_position", ll: { lat: 41.82, lng: -71.413 }, km: 1204, place: "Bristol, RI" },
    { at },
  ),
  problem("add_unknown", "It is not known whether this was added. Look before adding it again.", {
    code: "add_unknown",
  }),
  problem("decided", "It is decided already that this listing is “Joe's”. Undo that first.", {
    code: "decided",
    venue: "Joe's",
  }),
  problem(
    "decided",
    "“Joe's” was added to the directory, but somebody decided otherwise about the listing meanwhile.",
    { code: "decided_meanwhile", venue: "Joe's" },
  ),
  ...(
    [
      ["unreachable", "The venue directory does not answer just now. Please try again in a moment."],
      ["refused_token", "The venue directory no longer accepts our access to your account. Please connect again."],
      [
        "refused_client",
        "The venue directory does not accept this server as an application. Whoever runs it needs to look at that.",
      ],
      [
        "not_enabled",
        "The venue directory does not let this server do this. The person who runs this server has to ask the directory's operator.",
      ],
      ["rejected", "The venue directory did not accept this request."],
      ["not_found", "The venue directory has nothing under this name. It may have been removed."],
      ["invalid_answer", "The venue directory sent an answer that cannot be read. Please try again in a moment."],
      ["rate_limited", "The venue directory asks us to slow down."],
      ["duplicate", "The venue directory already has a venue that looks like this one."],
      ["conflict", "The venue directory has this listing's id on another venue already. One listing is one venue."],
    ] as const
  ).map(([code, message]) => problem(code, message, { code })),
  problem("rejected", "No such <b>street</b>.", { code: "rejected", said: "No such <b>street</b>." }),
  problem("rate_limited", "The venue directory asks us to slow down. Please try again in 40 seconds.", {
    code: "rate_limited",
    wait: 40,
  }),
  problem(
    "nul_character",
    "“Name” holds a NUL character.",
    { code: "told", said: "“Name” holds a NUL character." },
    cell,
  ),
];

export const OLD_ANNOTATIONS: { old: string; now: Problem }[] = [
  { old: "Already on the venue “Joe's (2)” (v1).", now: { code: "already_on", name: "Joe's (2)", id: "v1" } },
  {
    old: "Already on the venue “Joe's” (v1), where this file put it before its match was corrected. Ask the directory to remove it there, then annotate again.",
    now: { code: "already_on", name: "Joe's", id: "v1", isOurs: true },
  },
  { old: "The venue directory did not accept this request.", now: { code: "rejected" } },
  { old: "linkedId is too long.", now: { code: "told", said: "linkedId is too long." } },
];

export const OLD_REASONS: { old: string; decision: string | null; now: Reason }[] = [
  { old: "found by hand", decision: "matched", now: { code: "found_by_hand" } },
  { old: "no venue is like it", decision: "rejected", now: { code: "none_alike", venues: 0 } },
  { old: "not the one venue like it", decision: "rejected", now: { code: "none_alike", venues: 1 } },
  { old: "none of the 5 venues like it", decision: "rejected", now: { code: "none_alike", venues: 5 } },
  { old: "none of the venues like it", decision: "rejected", now: { code: "none_alike" } },
  { old: "added as new", decision: "added", now: { code: "added" } },
  { old: "added as new, with all that had no match", decision: "added", now: { code: "added_with_others" } },
  { old: "found when it was to be added", decision: "matched", now: { code: "found_before_adding", said: [] } },
  {
    old: "found when it was to be added; same name; 12 m apart",
    decision: "matched",
    now: { code: "found_before_adding", said: ["same name", "12 m apart"] },
  },
  {
    old: "same name; other phone; 12 m apart",
    decision: "matched",
    now: { code: "evidence", said: ["same name", "other phone", "12 m apart"] },
  },
  {
    old: "It is not known whether this was added. Look before adding it again.",
    decision: null,
    now: { code: "add_unknown" },
  },
  { old: "nothing of ours", decision: "rejected", now: { code: "told", said: "nothing of ours" } },
];
