import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { z } from "zod";
import { LANGUAGES, type Language } from "../language/languages.ts";
import { databaseHosts } from "../shared/database-hosts.ts";
import { isLoopbackHost } from "../shared/loopback.ts";
import { weaknessOf } from "./secret-strength.ts";

export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);

/** The first is for readers who accept none of them. */
export const languages = list.transform((codes, context): readonly [Language, ...Language[]] => {
  const known = [...Object.keys(LANGUAGES), "en-XA"] as Language[];
  const [first, ...others] = codes.flatMap((code) => known.filter((each) => each === code));
  if (first && codes.length === others.length + 1) return [first, ...others];
  context.addIssue({ code: "custom", message: `must be a comma list of ${Object.keys(LANGUAGES).join(", ")}` });
  return z.NEVER;
});

export const database = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:/.test(text) && databaseHosts(text).every((each) => URL.canParse(each)),
    "must be a postgresql:// address",
  )
  .refine(
    (text) => !/[?&]target_session_attrs=(?!read-write|primary)/.test(text),
    "may have target_session_attrs=read-write only; replicas belong in READ_DATABASE_URL",
  );

/** Each with one host, because each is compared with the primary by itself. */
export const replicas = list
  .pipe(z.array(database))
  .refine((urls) => urls.every((url) => URL.canParse(url)), "must be a comma list of postgresql:// addresses");

export const port = z.coerce.number("must be a port number").int().min(0).max(65535);

export const positive = (most: number) =>
  z.coerce
    .number(`must be a whole number from 1 to ${most}`)
    .refine((n) => Number.isInteger(n) && n >= 1 && n <= most, `must be a whole number from 1 to ${most}`);

export const publicUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (why: string) => {
    context.addIssue({ code: "custom", message: why });
    return z.NEVER;
  };
  if (!url || !/^https?:$/.test(url.protocol)) return refuse("must be an http or https address");
  if (url.pathname !== "/" || url.search || url.hash || url.username)
    return refuse("must be an origin, without a path");
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
    return refuse("must be https: plain http is accepted on loopback only");
  return url.origin;
});

/** Newest first. Only the first must be strong: new values use it, and values of weak old ones must stay readable. */
export const secrets = list.superRefine(([first = ""], context) => {
  const weakness = first ? weaknessOf(first) : "is missing";
  if (!weakness) return;
  const message = `the first ${weakness}; ${REMEDY}`;
  context.addIssue({ code: "custom", message });
});

export const strongSecret = z.string().superRefine((text, context) => {
  const weakness = weaknessOf(text);
  if (weakness) context.addIssue({ code: "custom", message: `${weakness}; ${REMEDY}` });
});

const REMEDY = "it needs 32 or more random characters (openssl rand -base64 32)";

export const cidr = list.refine(
  (items) => items.every(isRange),
  "must be a comma list of addresses or CIDR ranges, such as 10.0.0.0/8",
);

function isRange(text: string): boolean {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
}

export const contact = z
  .union([z.email(), z.url({ protocol: /^https$/ })], "must be an e-mail address or an https address")
  .refine((text) => text.length <= 300, "may have at most 300 characters");

export const pemFile = z.string().transform((file, context) => {
  try {
    return { file, bytes: readFileSync(file) };
  } catch (error) {
    context.addIssue({ code: "custom", message: `cannot be read: ${(error as Error).message}` });
    return z.NEVER;
  }
});

/** The address of the tiles, with their attribution after a `#`. */
export const mapTiles = z
  .string()
  .regex(/^https?:\/\/(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})/, "must be a web address that holds {z}, {x} and {y}")
  .transform((text) => {
    const [url = "", attribution] = text.split("#");
    return { url, attribution };
  });
