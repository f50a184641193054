/**
 * Returns what a word designates, as `kind:value`, if it can distinguish siblings: "B", "4", "101a", "2nd", "Two",
 * "II", "North". "N" has two: a letter and a direction. Numbers of five digits or more have none: they are
 * often row numbers.
 */
export function designationsOf(word: string): string[] {
  const meant = DESIGNATIONS.get(word) ?? [];
  if (/^[a-z]$/.test(word)) return [`letter:${word}`, ...meant];
  const [, digits] = /^(\d{1,4})(?:st|nd|rd|th)?$/.exec(word) ?? [];
  if (digits) return [`number:${Number(digits)}`];
  return /^(?:\d{1,4}[a-z]|[a-z]{1,2}\d{1,4})$/.test(word) ? [`number:${word}`] : meant;
}

/** Whether two words designate different things of the same kind, and nothing in common. */
export function designateOthers(a: string, b: string): boolean {
  const [left, right] = [designationsOf(a), designationsOf(b)];
  if (left.some((each) => right.includes(each))) return false;
  return left.some((each) => right.some((other) => kindOf(other) === kindOf(each)));
}

/** Whether two words designate the same: "Six" and "6", "II" and "2nd", "N" and "North". */
export function meanSame(a: string, b: string): boolean {
  const right = designationsOf(b);
  return right.length > 0 && designationsOf(a).some((each) => right.includes(each));
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
/** Eleven to twenty, then the tens. */
const LATER =
  "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety";

const DIRECTIONS = [
  "north n northern nord norte severnyy severnaya shmalih",
  "south s southern sud sur sul yuzhnyy yuzhnaya jnobih",
  "east e eastern ost est este vostochnyy vostochnaya shrqih",
  "west w western ouest oeste zapadnyy zapadnaya ghrbih",
  "northeast ne",
  "northwest nw",
  "southeast se",
  "southwest sw",
];

/** Words that distinguish siblings, by kind. Words in one string are synonyms. */
const OPPOSITES = {
  bound: ["northbound", "southbound", "eastbound", "westbound", "inbound", "outbound"],
  height: ["upper", "lower", "middle", "ober", "unter"],
  side: ["left", "right", "inner", "outer", "front", "rear"],
  age: [
    "elementary primary grundschule abtdaiih",
    "middle",
    "high secondary thanoih",
    "junior",
    "senior",
    "nursery",
    "kindergarten",
  ],
  sex: ["boys boy banin llbnin", "mens men gents male", "girls girl banat llbnat", "womens women ladies female"],
  office: ["police", "fire", "water", "parks", "health", "sheriff"],
  creed: [
    ..."baptist methodist lutheran presbyterian catholic anglican episcopal pentecostal orthodox evangelical".split(
      " ",
    ),
    ..."adventist mormon unitarian protestant".split(" "),
  ],
};

/** "And" in Spanish and Italian: without this, they would be different letters. */
const CONJUNCTIONS = ["y e"];

const DESIGNATIONS = new Map<string, string[]>();
LATER.split(" ").forEach((word, index) => {
  DESIGNATIONS.set(word, [`number:${index < 10 ? index + 11 : 10 * (index - 7)}`]);
});
for (const [kind, values] of Object.entries({
  number: NUMBERS,
  direction: DIRECTIONS,
  and: CONJUNCTIONS,
  ...OPPOSITES,
}))
  values.forEach((words, index) => {
    for (const word of words.split(" ")) {
      const designation = `${kind}:${kind === "number" ? index + 1 : index}`;
      DESIGNATIONS.set(word, [...(DESIGNATIONS.get(word) ?? []), designation]);
    }
  });
