/**
 * The text with at most thirty combining marks in a row (UAX #15, "Stream-Safe Text Format"). To normalize it is to sort
 * them, which takes the square of their number (attacks C28); no language has as many.
 */
export const streamSafe = (text: string): string => text.replace(/(\p{M}{30})\p{M}+/gu, "$1");
