import { fold, meaningOf, wordsIn } from "../../shared/csv/column-names.ts";
import { indexesOf } from "../columns.ts";
import { type Guess, mayBeAnything, moreThan } from "./values.ts";

/** Names of columns that are part of an address, in the languages of src/shared/csv/column-names.ts. */
const NAMES = {
  number: `housenumber houseno housenr housenum house hsno streetnumber streetno streetnr streetnum buildingnumber buildingno
    propertynumber civicnumber civicno addressnumber addrnumber addrno addrhousenumber hausnr hausnummer hnr hsnr
    straßennummer numeroexterior noexterior numext numerovia numvia numerocalle altura numerovoie numvoie norue numerorue
    numeroderue nodevoie numdevoie huisnummer huisnr civico numerocivico nciv ncivico nocivico numerdomu nrdomu
    nrbudynku cislopopisne cislodomu gatunummer husnr husnummer gatenummer talonumero katunumero hazszam kapino binano дом
    номердома 番地 门牌号 門牌號`,
  letter: `zusatz hausnrzusatz hausnummerzusatz hausnummernzusatz hnrzusatz toevoeging huisletter huisnummertoevoeging
    housenumbersuffix housenumberaddition houseletter numbersuffix addrsuffix rep indicerepetition bister husbogstav piso`,
  kind: `tipovia tipodevia tipocalle typevoie typedevoie typerue streettype streetsuffix streettypesuffix tipologradouro
    tipovia dug sttype`,
  direction: `predir predirection streetpredirection prefixdirection directionprefix streetdirection stdir`,
  behind: `postdir postdirection streetpostdirection suffixdirection directionsuffix`,
  line: `address2 address3 address4 address5 addressline2 addressline3 addressline4 addressline5 addr2 addr3 line2 streetaddress2 streetline2 street2
    adresse2 adresse3 adresszusatz adressezusatz complement complementadresse complementdadresse complemento direccion2
    indirizzo2 adres2 adresregel2 suite unit apt apartment unitnumber suitenumber addrunit`,
};

type Part = keyof typeof NAMES;

const PARTS = new Map(
  (Object.entries(NAMES) as [Part, string][]).flatMap(([part, names]) =>
    names.split(/\s+/).map((name): [string, Part] => [fold(name), part]),
  ),
);

/** What the longest known end of a name means, such as of `addr:housenumber` or `store_house_no`. */
function partNamed(name: string): Part | undefined {
  const words = wordsIn(name.replace(/#|№|\bn[°º]/giu, " no")).slice(-MOST_WORDS);
  for (const at of words.keys()) {
    const part = PARTS.get(fold(words.slice(at).join("")));
    if (part && (at === 0 || !ALONE.has(part))) return part;
  }
  return undefined;
}

const MOST_WORDS = 6;
/** Common words, which mean a part of the address only as a name of their own. */
const ALONE = new Set<Part>(["letter", "line"]);
const BARE_NUMBER = /^\W*(?:n|n[or°º]?|num(?:ber|ero|éro|mer|er)?|numéro|número)\W*$/iu;

/** A column of house numbers, or of one of the other parts; of which table, `guess` has the values. */
type StreetParts = Map<number, Part>;

/** Finds the columns that are parts of an address, so that they are not taken for anything else. */
export function findStreetParts({ header, values, taken }: Guess): StreetParts {
  const parts: StreetParts = new Map();
  for (const [index, name] of header.entries()) {
    const all = values[index] ?? [];
    if (taken.has(index) || all.length === 0) continue;
    const part =
      partNamed(name) ?? (BARE_NUMBER.test(name) && isBesideStreet(header, values, index) ? "number" : undefined);
    if (part !== undefined && looksLike(part, all)) parts.set(index, part);
  }
  for (const index of parts.keys()) taken.add(index);
  return parts;
}

const isBesideStreet = (header: string[], values: string[][], index: number): boolean =>
  [index - 1, index + 1].some(
    (beside) =>
      (meaningOf(header[beside] ?? "")?.field === "address" || partNamed(header[beside] ?? "") === "kind") &&
      !hasNumbers(values[beside] ?? []),
  );

const hasNumbers = (values: string[]): boolean => moreThan(0.5, values, (value) => /\d/.test(value));

const looksLike = (part: Part, values: string[]): boolean =>
  part === "number"
    ? moreThan(0.7, values, isHouseNumber)
    : part === "line" || moreThan(0.7, values, (value) => value.length <= (part === "letter" ? 8 : 20));

const isHouseNumber = (value: string): boolean =>
  /^(?:n[°ºo.]?\s?)?\d{1,5}(?:\.0)?\s?(?:\p{L}{1,2}|bis|ter)?(?:\s?[-/–+]\s?\d{0,5}\s?\p{L}?)*$|^s\/?n$/iu.test(value);

/** Puts the columns of an address in the order in which its language writes them. */
export function joinStreetParts(guess: Guess, parts: StreetParts): void {
  const { columns, values } = guess;
  const [street] = indexesOf(columns, "address");
  if (street === undefined) return;
  const isWhole = hasNumbers(values[street] ?? []);
  const of = (...wanted: Part[]) => [...parts].flatMap(([index, part]) => (wanted.includes(part) ? [index] : []));
  const numbers = isWhole ? [] : [...of("number"), ...of("letter")];
  const isFirst = numbers.length > 0 && writesNumberFirst(guess, street);
  const kinds = isWhole ? [] : of("kind");
  const isKindFirst = !kinds.some((index) =>
    /^(?:streettype|streetsuffix|streettypesuffix|sttype)$/.test(fold(guess.header[index] ?? "")),
  );
  const [directions, behind] = isWhole ? [[], []] : [of("direction"), of("behind")];
  const name = isKindFirst
    ? [...directions, ...kinds, street, ...behind]
    : [...directions, street, ...kinds, ...behind];
  const all = [...(isFirst ? [...numbers, ...name] : [...name, ...numbers]), ...of("line")];
  if (all.length > 1) columns.address = all;
}

const NUMBER_FIRST =
  /^(?:us|usa|united states.*|u\.s\.a?\.?|gb|uk|gbr|united kingdom|great britain|england|scotland|wales|northern ireland|ie|irl|ireland|ca|can|canada|au|aus|australia|nz|nzl|new zealand|fr|fra|france|lu|lux|luxembourg|za|zaf|south africa|in|ind|india|sg|sgp|singapore|ph|phl|philippines|my|mys|malaysia|hk|hkg|hong kong)$/i;
const STREET_FIRST =
  /\p{L}(?:str\.?|stra(?:ß|ss)e|gasse|weg|allee|platz|ufer|damm|straat|laan|plein|gracht|gatan|vägen|gade|vej|gata|veien|katu|tie|utca)$|^(?:via|viale|corso|piazza|calle|avda|avenida|paseo|carrera|carretera|rua|travessa|ul\.|ulica|al\.|aleja|strada|calea|c\/)(?:[\s.]|$)/iu;
const STREET_LAST =
  /(?:^|\s)(?:st|street|ave|avenue|rd|road|blvd|ln|lane|dr|drive|hwy|highway|way|ct|court|sq|square|pkwy|parkway|pl|terrace|close|crescent|pike)\.?$|^(?:rue|quai|chemin|impasse|all[ée]e|route|boulevard|avenue|cours|place|jalan|jln)\s/iu;
const NUMBER_FIRST_NAME =
  /house|street|number|building|property|voie|rue|num[eé]ro(?!\s*(?:civico|ext|via|calle|domu))|addr/i;

/** By the countries of the rows, else by their streets, else by the language of the column's name. */
function writesNumberFirst({ header, values, columns }: Guess, street: number): boolean {
  const [country = -1] = indexesOf(columns, "country");
  const countries = values[country] ?? [];
  if (countries.length > 0) return moreThan(0.5, countries, (value) => NUMBER_FIRST.test(value));
  const streets = values[street] ?? [];
  const [behind, before] = [STREET_FIRST, STREET_LAST].map(
    (shape) => streets.filter((value) => shape.test(value)).length,
  );
  if (behind !== before) return (before ?? 0) > (behind ?? 0);
  const names = `${header[street]} ${[...header].join(" ")}`;
  return NUMBER_FIRST_NAME.test(names) || /\b(?:street|address|rue|adresse)\b/i.test(header[street] ?? "");
}

/** Takes a column of short numbers beside streets without any for their house numbers, unless it only counts. */
export function findUnnamedNumbers(guess: Guess, parts: StreetParts): void {
  const { values, columns, taken, header } = guess;
  const [street] = indexesOf(columns, "address");
  if (street === undefined || [...parts.values()].includes("number") || hasNumbers(values[street] ?? [])) return;
  const index = [street + 1, street - 1].find((beside) => {
    const all = values[beside] ?? [];
    const isFree = !taken.has(beside) && beside in header;
    return (
      isFree &&
      all.length > 1 &&
      moreThan(0.8, all, isHouseNumber) &&
      !isCount(all) &&
      mayBeAnything(header[beside] ?? "")
    );
  });
  if (index === undefined) return;
  parts.set(index, "number");
  taken.add(index);
}

const isCount = (values: string[]): boolean =>
  values.every((value, at) => at === 0 || Number(value) === Number(values[at - 1]) + 1);
