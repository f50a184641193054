import { isAscii } from "./repair.ts";

/**
 * Rewrites national address forms in folded text to the common form: floors and units get a label, and a house number
 * of several parts becomes one number.
 */
export function unifyForms(folded: string): string {
  const forms = isAscii(folded) ? WESTERN : [...FAR_EASTERN, ...WESTERN];
  return forms.reduce((text, { form, plain }) => text.replace(form, plain), folded);
}

interface Form {
  form: RegExp;
  plain: (...groups: string[]) => string;
}

/** 2丁目8番1号 is the same as 2-8-1; all of it is the house number. */
const FAR_EASTERN: Form[] = [
  { form: /(\d{1,4})(?:号室|號室|室|호)/g, plain: (_, unit) => ` unit ${unit} ` },
  { form: /(\d{1,3})(?:楼|樓|层|層|階|층)/g, plain: (_, level) => ` level ${level} ` },
  {
    form: /(\d{1,3}) ?丁目 ?(\d{1,4}) ?番(?:地)?の?(?: ?(\d{1,4}) ?号?)?/g,
    plain: (_, ...parts) => ` no ${numberOf(parts.slice(0, 3))} `,
  },
  {
    form: /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}] ?)(\d{1,3})-(\d{1,4})-(\d{1,4})(?![\d-])/gu,
    plain: (_, ...parts) => ` no ${numberOf(parts.slice(0, 3))} `,
  },
];

const WESTERN: Form[] = [
  {
    // In Colombia, "Carrera 7 # 71-21" is 21 m from the corner with 71: both numbers make up the house number.
    form: /(?<!\w)(carrera|cra|kra|calle|cll|cl|diagonal|dg|transversal|tv)\.? ?(\d{1,3}[a-z]?(?: ?bis)?)(?: (?:sur|norte|este|oeste))? ?(?:no|nro|num|n[°º]|#)\.? ?#? ?(\d{1,3})[a-z]? ?- ?(\d{1,3})(?!\d)/g,
    plain: (_, type = "", street, corner = "", house = "") =>
      `${STREETS[type] ?? type} ${street} no ${numberOf([corner, house])} `,
  },
  { form: /(?<=\d[a-z]?\.?) (?:[ivx]{1,4}|\d{1,2}|fszt?)\.? ?(?:em|emelet)\.?(?!\w)[^,]*/g, plain: () => " " },
  { form: /(?<=\d[a-z]?) m\.? ?(?=\d)|(?<!\w)d: ?(?=\d)/g, plain: () => " unit " },
  { form: /(?<=\d) ?\/ ?(?=\d)/g, plain: () => "/" },
  {
    // Highways have many names: US-1, US 1, U.S. Route 1 and US Highway 1 are one.
    form: /(?<!\w)u\.? ?s\.?[ -]?(?:hwy|highway|hiway|route|rte|rt)?\.?[ -]?(\d{1,3})(?!\w)/g,
    plain: (_, number) => `us hwy ${number}`,
  },
  {
    form: /(?<!\w)(?:sr|state (?:route|rte|rt|road|rd|highway|hwy))\.?[ -]?(\d{1,4})(?!\w)/g,
    plain: (_, number) => `state rd ${number}`,
  },
  {
    form: /(?<!\w)(?:cr|(?:county|co\.?) (?:route|rte|rt|road|rd|highway|hwy))\.?[ -]?(\d{1,4})(?!\w)/g,
    plain: (_, number) => `county rd ${number}`,
  },
];

const STREETS: Record<string, string> = {
  ...{ cra: "carrera", kra: "carrera", cll: "calle", cl: "calle", dg: "diagonal", tv: "transversal" },
};

/** Hashes the parts of a house number to one number of at most five digits, so that nearby ones hardly ever collide. */
const numberOf = (parts: string[]): number =>
  parts.filter(Boolean).reduce((hash, part) => Math.imul(hash + Number(part), 0x9e3779b1) >>> 0, 0) % 90_007;
