import { dictionary } from "@zxcvbn-ts/language-common";

/** About 18,000, in lower case. Shorter ones are rejected by length. */
const COMMON = new Set(dictionary["passwords-common"].filter((password) => password.length >= 8));

/** Ignores case and spaces. */
export function isCommon(password: string): boolean {
  const typed = plain(password);
  return COMMON.has(typed) || new Set(typed).size <= 2 || typed === "samespot";
}

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

const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s/g, "");
