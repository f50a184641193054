import { textField } from "../../../http/pages/forms.ts";
import { type ApplicationSettings, settingsProblems } from "../../applications/settings.ts";

export interface ApplicationForm {
  name: string;
  /** One per line. */
  redirectUris: string;
  redirectMatch: "exact" | "path";
  tokenFlow: boolean;
  webConnect: boolean;
  rotatesItself: boolean;
}

export type FormErrors = Partial<Record<"name" | "redirectUris" | "form", string>>;

/** Only an operator sets the rate limit. */
type Typed = Omit<ApplicationSettings, "rateLimit">;

export const emptyForm = (): ApplicationForm => readForm({});

export function readForm(body: unknown): ApplicationForm {
  return {
    name: textField(body, "name"),
    redirectUris: textField(body, "redirectUris"),
    redirectMatch: textField(body, "redirectMatch") === "path" ? "path" : "exact",
    tokenFlow: textField(body, "tokenFlow") === "on",
    webConnect: textField(body, "webConnect") === "on",
    rotatesItself: textField(body, "rotatesItself") === "on",
  };
}

export function formOf(settings: Typed): ApplicationForm {
  const { name, redirectUris, redirectMatch, tokenFlow, webConnect, rotatesItself } = settings;
  return { name, redirectUris: redirectUris.join("\n"), redirectMatch, tokenFlow, webConnect, rotatesItself };
}

/** White space separates redirect URIs, which contain none. */
export function checkForm(
  form: ApplicationForm,
): { settings: Typed; errors?: never } | { settings?: never; errors: FormErrors } {
  const settings = { ...form, redirectUris: form.redirectUris.split(/\s+/).filter(Boolean) };
  const errors = settingsProblems(settings);
  return Object.keys(errors).length > 0 ? { errors } : { settings };
}

export function errorSummary(errors: FormErrors): { message: string; field?: string }[] {
  return Object.entries(errors).map(([field, message]) => (field === "form" ? { message } : { message, field }));
}
