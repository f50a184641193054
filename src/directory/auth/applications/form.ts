import { textField } from "../../../http/forms.ts";
import { type ApplicationSettings, settingsProblems } from "../../application-settings.ts";

/** The form about an application as it was sent: everything typed is kept, whatever comes of it. */
export interface ApplicationForm {
  name: string;
  /** One a line. */
  redirectUris: string;
  redirectMatch: "exact" | "path";
  tokenFlow: boolean;
  webConnect: boolean;
  rotatesItself: boolean;
}

export type FormErrors = Partial<Record<"name" | "redirectUris" | "form", string>>;

/** What the form can say. Calls an hour are the operator's to set. */
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

/** The form filled in with what is stored. */
export function formOf(settings: Typed): ApplicationForm {
  const { name, redirectUris, redirectMatch, tokenFlow, webConnect, rotatesItself } = settings;
  return { name, redirectUris: redirectUris.join("\n"), redirectMatch, tokenFlow, webConnect, rotatesItself };
}

/** The settings the form asks for, or one message a field. No redirect URI holds white space: a space parts two as well. */
export function checkForm(
  form: ApplicationForm,
): { settings: Typed; errors?: never } | { settings?: never; errors: FormErrors } {
  const settings = { ...form, redirectUris: form.redirectUris.split(/\s+/).filter(Boolean) };
  const errors = settingsProblems(settings);
  return Object.keys(errors).length > 0 ? { errors } : { settings };
}

/** The list of errors above a form, each with the id of its field. */
export function errorSummary(errors: FormErrors): { message: string; field?: string }[] {
  return Object.entries(errors).map(([field, message]) => (field === "form" ? { message } : { message, field }));
}
