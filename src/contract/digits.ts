/** Replaces the digits of all scripts with ASCII digits. */
export const plainDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit)));

/** Removes everything but ASCII digits. */
export const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** In Unicode, the digits of a script are consecutive, from 0 to 9. Some scripts directly follow one another. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}
