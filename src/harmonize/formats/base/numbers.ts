/** Writes a number that has more digits than were kept so that it looks rounded, as a spreadsheet shows it: 4.01E+15. */
export const roundedText = (number: number): string =>
  number
    .toExponential()
    .replace(/e\+(\d)$/, "e+0$1")
    .toUpperCase();
