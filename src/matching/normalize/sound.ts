/**
 * Reduces a text in Latin letters to its consonants, without doubled letters and with one letter per sound, so that
 * "starbucks" and the Japanese "sutabakkusu" are similar, and so are Arabic and Hebrew names, which omit vowels.
 */
export const skeletonOf = (latin: string): string =>
  SOUNDS.reduce((text, [written, sound]) => text.replace(written, sound), latin);

const SOUNDS: [RegExp, string][] = [
  [/ph/g, "f"],
  [/ts|tz|zh|sh|sch|ch|c(?=[eiy])|z|x/g, "s"],
  [/[cqg]|kh/g, "k"],
  [/[vwp]/g, "b"],
  [/[dt]h?/g, "t"],
  [/[lr]/g, "r"],
  [/[mn]/g, "n"],
  [/j/g, "s"],
  [/[aeiouyh\s]/g, ""],
  [/(.)\1+/g, "$1"],
];
