import { digitsOf, plainDigits } from "./text.ts";

/** UTF-16 units of a field that are read: enough for a few numbers with words between them. */
const LOOKED_AT = 500;

/** Limit on numbers, because matching two fields compares every pair. */
const AT_MOST = 10;

/**
 * Finds the telephone numbers in a field as people fill it in: one or several, with labels, brackets, dashes and digits
 * of any script. Returns each as 7 to 15 ASCII digits, after a "+", "00" or "011" if it is given, without extension.
 * "555 0123 / 0124" is two numbers with different endings.
 */
export function phoneNumbersIn(text: string): string[] {
  if (USUAL.test(text)) return [text.replace(/[ ().-]/g, "")];
  const plain = plainForm(text.slice(0, LOOKED_AT));
  // Pieces that may be numbers at even indexes, the separators between them at odd ones.
  const parts = plain.split(/([^\d+(). -]+)/);
  const pieces = parts.flatMap((part, at) =>
    at % 2 === 1
      ? []
      : separate(part).map((piece, first) => ({ piece, joint: first === 0 ? (parts[at - 1] ?? "") : " " })),
  );
  return wholeNumbers(pieces.filter(({ piece }) => /\d/.test(piece)))
    .filter((number) => IS_NUMBER.test(number))
    .slice(0, AT_MOST);
}

/** One North American number and nothing else, which need not be taken apart: most numbers of a large list. */
const USUAL = /^(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-]?)\d{3}[ .-]?\d{4}$/;

/** "011" and "00" are dialled before a country code. */
const IS_NUMBER = /^\+?(?:00|011(?=\d{10}))?\d{7,15}$/;

function plainForm(text: string): string {
  return plainDigits(text.normalize("NFKC"))
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Pd}−ー]/gu, "-")
    .replace(/[·•∙⋅・‧]/g, ".")
    .replace(/[[【〔]/g, "(")
    .replace(/[\]】〕]/g, ")")
    .replace(/\s/g, " ")
    .replace(/\( ?0 ?\)/g, " ") // +44 (0)131
    .replace(EXTENSION, ";x;");
}

/** An extension, with its label in several languages. In China, a third group after a dash is one, too. */
const EXTENSION =
  /(?<!\p{L})(?:ext(?:ension|n)?|x|#|\*|доб|転送|转|轉|分机|分機|内線|内线|durchwahl|poste|ramal|anexo|dahili|wewn)[.:]? ?\d{1,6}(?!\d)|(?<=(?<!\d)0\d{2,3}[ -]\d{7,8})-\d{1,6}(?!\d)/giu;

/** Splits a piece with several numbers that only spaces, brackets or "+" separate. */
function separate(text: string): string[] {
  return text.split(/(?=\+)/).flatMap((piece) => {
    const groups = piece.split(/ +|(?=\()/).filter((group) => /\d/.test(group));
    const counts = groups.map((group) => digitsOf(group).length);
    const long = counts.filter((count) => count >= 7).length;
    if (digitsOf(piece).length <= 15 && (long < 2 || piece.includes("+"))) return [piece];
    const each = lengthOfRepeated(counts);
    if (long === 0 && each)
      return groups.flatMap((_, at) => (at % each ? [] : [groups.slice(at, at + each).join(" ")]));
    return groups.filter((_, at) => (counts[at] ?? 0) >= 7 || (counts[at + 1] ?? 0) >= 7);
  });
}

/** Returns the groups per number if their lengths repeat, such as 3 for "401 555 0100 401 555 0101". */
function lengthOfRepeated(counts: number[]): number | undefined {
  for (let each = 2; each <= counts.length / 2; each += 1) {
    const total = counts.slice(0, each).reduce((sum, count) => sum + count, 0);
    const isRepeated = counts.length % each === 0 && counts.every((count, at) => count === counts[at % each]);
    if (isRepeated && total >= 7 && total <= 15) return each;
  }
  return undefined;
}

/** What separates two endings of a number: "555 0123 / 0124". */
const OR = new Set([
  "/",
  ",",
  ";",
  "|",
  "&",
  "、",
  ..."or and oder und ou et o y e u или и أو または 或 或者".split(" "),
]);

/** What separates an area code from the number. The space is what `separate` splits at. */
const BEHIND_AREA = /^[/\\:_~ ]$/;

/** Completes numbers. The slash follows an area code in "404/351-9533", and a number in "4043519533/4043519534". */
function wholeNumbers(pieces: { piece: string; joint: string }[]): string[] {
  const numbers: string[] = [];
  let area = "";
  for (const [at, { piece, joint }] of pieces.entries()) {
    const digits = digitsOf(piece);
    const written = piece.includes("+") ? `+${digits}` : digits;
    const last = numbers.at(-1);
    const next = digitsOf(pieces[at + 1]?.piece ?? "").length;
    // "0049321/5550199" has a country and an area code in front.
    const isArea =
      /^00\d{3,6}$/.test(written) && next >= 5 && next <= 8 && BEHIND_AREA.test(pieces[at + 1]?.joint ?? "");
    const inFront = BEHIND_AREA.test(joint) && !written.startsWith("+") ? area : "";
    if (isArea) area = written;
    else if (digits.length >= 7 || (inFront !== "" && digits.length >= 5)) {
      numbers.push(digits.length <= 8 ? inFront + digits : written);
      area = "";
    } else if (last && digits.length <= 4 && (next < 5 || next > 8) && OR.has(joint.toLowerCase()))
      numbers.push(last.slice(0, -digits.length) + digits);
    else area = written;
  }
  return numbers;
}
