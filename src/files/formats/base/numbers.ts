/** Writes a number that has more digits than were kept so that it looks rounded, as a spreadsheet shows it: 4.01E+15. */
export const roundedText = (number: number): string =>
  number
    .toExponential()
    .replace(/e\+(\d)$/, "e+0$1")
    .toUpperCase();

/** Writes a number in full, without the noise of binary fractions. */
export const plainNumber = (number: number): string => {
  const text = String(Number(number.toPrecision(15)));
  return /e/.test(text) ? number.toFixed(20).replace(/0+$/, "") : text;
};
