/** Shortest secret: 32 characters of base64 are 192 bits. */
const MIN_LENGTH = 32;
const MIN_DISTINCT = 8;

/** Words of examples and of what people put where a secret belongs. Not one in a million random secrets holds one. */
const PLACEHOLDERS = /change|secret|password|example|sample|default|replace|insert|openssl|samespot|session|encrypt/i;

/**
 * Why nobody should rely on a secret of the settings, or undefined for one that may be random: attackers try what stands
 * in documentations, on keyboards and in other people's files first. It never quotes the secret.
 */
export function weaknessOf(secret: string): string | undefined {
  if (secret.length < MIN_LENGTH) return `is shorter than ${MIN_LENGTH} characters`;
  if (new Set(secret).size < MIN_DISTINCT) return "is made of a few characters only";
  if (PLACEHOLDERS.test(secret)) return "looks like a placeholder";
  if (repeats(secret)) return "repeats itself";
  if (counts(secret)) return "counts through characters";
  return undefined;
}

/** `abcd1234abcd1234…`: the same again after at most half of it. */
function repeats(text: string): boolean {
  const periods = Array.from({ length: text.length >> 1 }, (_, index) => index + 1);
  return periods.some((period) => text.startsWith(text.slice(period)));
}

/** `0123456789abcdef…`: more than half of the characters are next to the one before. Random text has one in thirty. */
function counts(text: string): boolean {
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  const steps = codes.slice(1).map((code, index) => Math.abs(code - (codes[index] ?? 0)));
  return steps.filter((step) => step <= 1).length > steps.length / 2;
}
