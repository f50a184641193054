import { dictionary } from "@zxcvbn-ts/language-common";

/** Some 18,000, in lower case. Shorter ones are refused for their length. */
const COMMON = new Set(dictionary["passwords-common"].filter((password) => password.length >= 8));

/**
 * Whether a password is among those that attackers try first: one of the most used, one or two characters over and over, or
 * our own name. Case and blanks do not count.
 */
export function isCommon(password: string): boolean {
  const typed = plain(password);
  return COMMON.has(typed) || new Set(typed).size <= 2 || typed === "samespot";
}

/** Whether a password is something known about its owner: a name, the handle, the e-mail address or its first part. */
export function isAbout(password: string, { handle, firstName, lastName, email }: Person): boolean {
  const names = [firstName, lastName].filter((name) => typeof name === "string");
  const known = [handle, email, email?.split("@")[0], ...names, names.join("")];
  return known.some((each) => each && plain(each) === plain(password));
}

export interface Person {
  handle: string;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  email?: string | null | undefined;
}

/** As passwords are compared (NFKC), without case and blanks. */
const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s/g, "");
