/** Returns the form that all variants of an address word share: "st" for "street", "hauptstr" for "hauptstrasse". */
export function unifyWord(word: string): string {
  const known = FORMS.get(word);
  if (known !== undefined) return known;
  if (word <= "9~") return word.replace(/(?<=^\d+)(?:st|nd|rd|th)$/, ""); // 52nd St, 52 St
  const ending = word.length > 5 ? ENDINGS.find(([long]) => word.endsWith(long)) : undefined;
  return ending ? word.slice(0, -ending[0].length) + ending[1] : word;
}

/** Returns the other forms of an address word, as an index may have them: "59th" for "59", "hauptstrasse" for "hauptstr". */
export function variantsOf(word: string): string[] {
  const unified = unifyWord(word);
  const ends = ENDINGS.filter(([, short]) => word.length > 4 && unified.endsWith(short) && unified !== short);
  const ordinals = /^\d+$/.test(unified) ? ["", "st", "nd", "rd", "th"].map((ending) => unified + ending) : [];
  const compounds = ends.map(([long, short]) => unified.slice(0, -short.length) + long);
  return [...new Set([unified, ...(VARIANTS.get(unified) ?? []), ...ordinals, ...compounds])].filter(
    (each) => each !== word,
  );
}

/** Whether a unified word is a type of street. */
export const isStreetType = (word: string): boolean =>
  TYPES.has(word) || (word.length > 5 && TYPE_ENDINGS.some((ending) => word.endsWith(ending)));

/**
 * Whether streets of this type have numbers as names: "Tampines Avenue 8", "Lane 3", "Route 66". If there are no other
 * words, any type may: "Calle 98".
 */
export const isNumbered = (word: string, isAll: boolean): boolean => (isAll ? TYPES : NUMBERED).has(word);

/** Endings of compound words: "hauptstrasse". */
const ENDINGS: [string, string][] = [
  ["strasse", "str"],
  ["straat", "str"],
  ["platz", "pl"],
];
const TYPE_ENDINGS = "str gasse weg allee damm laan gracht gatan vagen gade vej veien".split(" ");

const formsOf = (lines: string): [string, string][] =>
  lines.split("\n").flatMap((line) => {
    const [form = "", ...others] = line.trim().split(" ");
    return [form, ...others].map((other): [string, string] => [other, form]);
  });

/** Each line: the shared form, then the variants. Words with the same abbreviation share one form. */
const STREETS = formsOf(`st street saint
  str strasse strada straat
  ave avenue av aven avenida avda avd avinguda
  rd road
  blvd boulevard blv bld bvd bd bulevar bulvar bulvari
  dr drive drv
  ln lane
  pl place plaza plz pza plaça placa praca pca platz
  sq square
  ct court crt
  cres crescent cresc cr
  cl close
  hwy highway hiway
  rte route rt
  pkwy parkway pky pkway
  ter terrace terr tce
  tpke turnpike tpk pike
  cir circle circ
  trl trail
  expy expressway expwy
  fwy freeway frwy
  ctr center centre cntr
  gdns gardens gdn garden
  gr grove grv
  wy way
  walk wlk
  row
  bridge brg br
  quay
  mews
  hill hl
  view vw
  link lk
  loop
  central
  alley aly
  rue
  chemin chem ch
  quai
  imp impasse
  calle cll
  carrer
  carretera ctra carr
  carrera cra kra
  diagonal
  transversal
  paseo pso passeig pg
  rua
  travessa tv trav
  alameda al
  rodovia rod
  via
  viale vle
  corso cso
  piazza pzza piazzale
  largo lgo
  ulica ul
  aleja aleje
  caddesi cad cd cadde
  utca u
  sokak sokagi sok sk
  jln jalan jl
  lor lorong lrg
  soi
  gang gg
  улица ул
  проспект пр просп пркт
  переулок пер
  площадь пл
  бульвар бул
  шоссе ш
  набережная наб`);

const OTHERS = formsOf(`n north nth
  s south sth
  e east
  w west
  ne northeast
  nw northwest
  se southeast
  sw southwest
  mt mount mtn mountain
  ft fort
  upp upper
  bt bukit
  kg kampong kampung
  tg tanjong tanjung
  tmn taman
  sg sungei sungai
  1 first
  2 second
  3 third
  4 fourth
  5 fifth
  6 sixth
  7 seventh
  8 eighth
  9 ninth
  10 tenth`);

/** The shared form of each variant. */
export const FORMS: ReadonlyMap<string, string> = new Map([...OTHERS, ...STREETS]);
const VARIANTS = new Map(
  [...Map.groupBy(FORMS, ([, form]) => form)].map(([form, pairs]) => [form, pairs.map(([variant]) => variant)]),
);
const TYPES = new Set(STREETS.map(([, form]) => form));
const NUMBERED = new Set("st ave dr rd ln alley hwy rte lor soi gang jln cres link central ring".split(" "));
