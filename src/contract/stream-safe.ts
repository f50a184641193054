/** Keeps at most 30 combining marks in a row (UAX #15, "Stream-Safe Text Format"): sorting them is quadratic (attacks C28). */
export const streamSafe = (text: string): string => text.replace(/(\p{M}{30})\p{M}+/gu, "$1");
