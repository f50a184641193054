import type { Field } from "../columns.ts";

/** Fields whose columns are put together; of the others, the first that is filled counts. */
const JOINED: readonly Field[] = ["name", "address", "wholeAddress"];

/** Makes the text of a field from its columns, in their order. `parts`: those that are filled. */
export function joinedText(field: Field, parts: string[]): string | undefined {
  const [first, ...more] = parts;
  if (first === undefined) return undefined;
  if (field === "lat" || field === "lng") return withHemisphere(parts);
  return JOINED.includes(field) ? more.reduce((text, part) => joinedParts(field, text, part), first) : first;
}

const HEMISPHERES: [letter: string, RegExp][] = [
  ["N", /^n(?:\.|orth|ord|orte|oord|orr|ø?rd)?$/i],
  ["S", /^s(?:\.|outh|üd|ued|ud|ur|ul|yd|öder)?$/i],
  ["E", /^e(?:\.|ast|st|ste)?$|^(?:ost|oost|øst|öst)$/i],
  ["W", /^w(?:\.|est)?$|^(?:ouest|oeste|ovest|väst|vest)$/i],
  // East in German, west in Spanish, French and Italian: such a position cannot be read, rather than be on the wrong side.
  ["O", /^o\.?$/i],
];

/** Recognizes `N`, `South`, `Oeste`; returns the letter. */
export const hemisphereIn = (text: string): string | undefined =>
  text.length > LONGEST_HEMISPHERE ? undefined : HEMISPHERES.find(([, words]) => words.test(text))?.[0];

const LONGEST_HEMISPHERE = 6;

/** A sign, or a letter in the same cell, says it already. */
function withHemisphere(parts: string[]): string | undefined {
  const degrees = parts.find((part) => hemisphereIn(part) === undefined);
  const letter = parts.map(hemisphereIn).find((found) => found !== undefined);
  if (degrees === undefined || letter === undefined || /^\s*[-−–]|[NSEWO]/i.test(degrees)) return degrees ?? parts[0];
  return `${degrees} ${letter}`;
}

function joinedParts(field: Field, text: string, part: string): string {
  if (isSaid(text, part)) return text;
  if (isSaid(part, text)) return part;
  if (field === "name") return `${text} ${part}`;
  if (field === "wholeAddress") return `${text}, ${part}`;
  if (/\d$/.test(text) && HOUSE_LETTER.test(part)) return `${text}${part}`;
  const isOneLine = isPiece(part) || isPiece(text) || /^\d+\p{L}? (?:[NSEW]{1,2}\.?|\p{L}{2,}\.?)$/iu.test(text);
  return `${text}${isOneLine ? " " : ", "}${part}`;
}

/** Not N, E, S, W, which may begin the street's name. */
const HOUSE_LETTER = /^[a-df-mp-rt-vx-z]$/i;

/** What makes no line of an address by itself: a house number, a direction, or a kind of street. */
const isPiece = (part: string): boolean =>
  /^\P{L}*\d[\d/ –-]*\p{L}?$|^\p{L}{1,2}\.?$|^(?:bis|ter|quater)$/iu.test(part) || KIND_OF_STREET.test(part);

const KIND_OF_STREET =
  /^(?:street|ave|avenue|av|road|blvd|boulevard|lane|drive|hwy|highway|way|court|square|pkwy|parkway|place|terrace|circle|rue|quai|chemin|impasse|allée|allee|route|via|viale|corso|piazza|calle|avda|avenida|paseo|plaza|carretera|camino|rua|travessa|praça|largo|estrada|rodovia|ulica|aleja|straße|strasse|platz|weg|cra|calzada)\.?$/iu;

/** Whether a text begins or ends with these words already, as lists write the number in both columns. */
function isSaid(text: string, words: string): boolean {
  const all = text.toLowerCase();
  const some = words.toLowerCase();
  const isApart = (sign: string | undefined) => sign === undefined || !/[\p{L}\p{N}]/u.test(sign);
  return (
    (all.startsWith(some) && isApart(all[some.length])) ||
    (all.endsWith(some) && isApart(all[all.length - some.length - 1]))
  );
}
