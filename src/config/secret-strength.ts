/** Shortest secret: 32 characters of base64 are 192 bits. */
const MIN_LENGTH = 32;
const MIN_DISTINCT = 8;

/** What examples have where a secret belongs. No random secret holds it. */
const PLACEHOLDERS = /change.{0,3}(me|this|it)|replace.{0,3}(me|this|with)|placeholder|openssl|your.{0,3}(secret|key)/i;

/**
 * Why nobody should rely on a secret of the settings, or undefined for one that may be random: attackers try what stands
 * in documentations and in other people's files first. It never quotes the secret.
 */
export function weaknessOf(secret: string): string | undefined {
  if (secret.length < MIN_LENGTH) return `is shorter than ${MIN_LENGTH} characters`;
  if (new Set(secret).size < MIN_DISTINCT) return "is made of a few characters only";
  if (PLACEHOLDERS.test(secret)) return "looks like a placeholder";
  return undefined;
}
