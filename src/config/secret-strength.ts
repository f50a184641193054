const MIN_LENGTH = 32;
const MIN_DISTINCT = 8;

/** Words of example secrets. Random secrets do not contain them. */
const PLACEHOLDERS = /change.{0,3}(me|this|it)|replace.{0,3}(me|this|with)|placeholder|openssl|your.{0,3}(secret|key)/i;

/** Returns why a secret in the settings may be guessed, without quoting it; undefined if it looks random. */
export function weaknessOf(secret: string): string | undefined {
  if (secret.length < MIN_LENGTH) return `is shorter than ${MIN_LENGTH} characters`;
  if (new Set(secret).size < MIN_DISTINCT) return "is made of a few characters only";
  if (PLACEHOLDERS.test(secret)) return "looks like a placeholder";
  return undefined;
}
