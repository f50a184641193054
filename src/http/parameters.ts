import { z } from "zod";
import { SOURCE_LANGUAGE } from "../language/languages.ts";
import { inLanguage, t } from "../language/translate.ts";
import { badRequest } from "../shared/errors.ts";

/**
 * Ignores unknown parameters, even repeated ones; rejects a repeated known one that is no list; treats an empty one as missing.
 *
 * @throws KnownError 400 `param_error` that names every faulty parameter
 */
export function parseParameters<S extends z.ZodObject>(schema: S, raw: unknown): z.output<S> {
  const { value, errors } = checkParameters(schema, raw);
  if (value) return value;
  throw badRequest(`${Object.values(errors ?? {}).join("; ")}.`);
}

/** Like parseParameters(), for HTML forms: returns the value, or one message per field. */
export function checkParameters<S extends z.ZodObject>(
  schema: S,
  raw: unknown,
): { value: z.output<S>; errors?: never } | { value?: never; errors: Record<string, string> } {
  const source: Record<string, unknown> = typeof raw === "object" && raw !== null ? { ...raw } : {};
  const given: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = Object.hasOwn(source, name) ? listed(schema.shape[name], source[name]) : undefined;
    if (Array.isArray(value)) errors[name] = t("{name} was given more than once", { name });
    else if (value !== undefined && value !== "") given[name] = value;
  }
  const parsed = schema.safeParse(given);
  if (parsed.success && Object.keys(errors).length === 0) return { value: parsed.data };
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0] ?? "request");
    errors[name] ??= Object.hasOwn(given, name) ? issue.message : t("{name} is required", { name });
  }
  return { errors };
}

/** Of a list of items with commas between them, joins those that were given apart (wire-format 2). */
const listed = (field: z.core.$ZodType | undefined, value: unknown): unknown =>
  Array.isArray(value) && field && z.globalRegistry.get(field)?.["x-list"] ? value.join() : value;

/** Like checkParameters(), with messages in English, for pages that read them to word their own. */
export const checkInEnglish = <S extends z.ZodObject>(schema: S, raw: unknown) =>
  inLanguage(SOURCE_LANGUAGE, () => checkParameters(schema, raw));

/** The message of each field, in the words of a page. */
export const errorsInWords = (errors: Record<string, string>, words: (field: string, message: string) => string) =>
  Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, words(field, message)]));

export type Fields = Record<string, string | string[]>;

/** Parses a query string or urlencoded body. The result has no prototype that a name such as `__proto__` could reach. */
export function parseFields(text: string): Fields {
  const fields: Fields = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) addField(fields, name, value);
  return fields;
}

export function addField(fields: Fields, name: string, value: string): void {
  const before = fields[name];
  if (Array.isArray(before)) before.push(value);
  else fields[name] = before === undefined ? value : [before, value];
}
