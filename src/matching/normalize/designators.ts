/**
 * What a word designates that tells siblings apart: "B", "4", "101a", "2nd", "Two", "II", "North". As `kind:value`; several where
 * it has several meanings, such as the letter and the direction "N". Longer numbers are left out: lists number their rows.
 */
export function designationsOf(word: string): string[] {
  const meant = DESIGNATIONS.get(word) ?? [];
  if (/^[a-z]$/.test(word)) return [`letter:${word}`, ...meant];
  const [, digits] = /^(\d{1,4})(?:st|nd|rd|th)?$/.exec(word) ?? [];
  if (digits) return [`number:${Number(digits)}`];
  return /^(?:\d{1,4}[a-z]|[a-z]{1,2}\d{1,4})$/.test(word) ? [`number:${word}`] : meant;
}

/** Whether two words designate different things of one kind, and nothing in common. */
export function designateOthers(a: string, b: string): boolean {
  const [left, right] = [designationsOf(a), designationsOf(b)];
  if (left.some((each) => right.includes(each))) return false;
  return left.some((each) => right.some((other) => kindOf(other) === kindOf(each)));
}

const kindOf = (designation: string): string => designation.slice(0, designation.indexOf(":"));

const NUMBERS = [
  "one first i",
  "two second ii",
  "three third iii",
  "four fourth iv",
  "five fifth v",
  "six sixth vi",
  "seven seventh vii",
  "eight eighth viii",
  "nine ninth ix",
  "ten tenth x",
];
const DIRECTIONS = [
  "north n northern nord norte",
  "south s southern sud sur sul",
  "east e eastern ost est este",
  "west w western ouest oeste",
  "northeast ne",
  "northwest nw",
  "southeast se",
  "southwest sw",
];

/** "And" in Spanish and Italian tells nothing apart. */
const CONJUNCTIONS = ["y e"];

const DESIGNATIONS = new Map<string, string[]>();
for (const [kind, values] of Object.entries({ number: NUMBERS, direction: DIRECTIONS, and: CONJUNCTIONS }))
  values.forEach((words, index) => {
    for (const word of words.split(" ")) {
      const designation = `${kind}:${kind === "number" ? index + 1 : index}`;
      DESIGNATIONS.set(word, [...(DESIGNATIONS.get(word) ?? []), designation]);
    }
  });
