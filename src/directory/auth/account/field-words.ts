import { t } from "../../../language/translate.ts";

const labels = (): Record<string, string> => ({
  handle: t("Handle"),
  firstName: t("First name"),
  lastName: t("Last name"),
  email: t("E-mail"),
  password: t("Password"),
});

/** Replaces the field name at the start of `message` by its label on the page. */
export function fieldWords(field: string, message: string): string {
  const label = labels()[field] ?? field;
  return label + (message.startsWith(field) ? message.slice(field.length) : `: ${message}`);
}
