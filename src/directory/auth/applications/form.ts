import type { FastifyRequest } from "fastify";
import { textField } from "../../../http/pages/forms.ts";
import { sha256 } from "../../../shared/crypto.ts";
import { type ApplicationSettings, settingsProblems } from "../../applications/applications.ts";
import type { DirectoryDeps } from "../../deps.ts";

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

declare module "fastify" {
  interface Session {
    /** A new client secret, sealed, until the page shows it. */
    newSecret?: { clientId: string; sealed: string; until: number } | undefined;
  }
}

const WAITS_MS = 10 * 60_000;

/** Seals the secret, because the database may hold only hashes of secrets (attacks B38). */
export function keepNewSecret(
  { vault }: Pick<DirectoryDeps, "vault">,
  request: FastifyRequest,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): void {
  const sealed = Buffer.from(vault.seal(clientSecret, place(request, clientId))).toString("base64");
  request.session.newSecret = { clientId, sealed, until: Date.now() + WAITS_MS };
}

export function takeNewSecret(
  { vault }: Pick<DirectoryDeps, "vault">,
  request: FastifyRequest,
  clientId: string,
): string | undefined {
  if (request.method === "HEAD") return undefined; // HEAD shows no page
  const { newSecret } = request.session;
  const isOver = newSecret && newSecret.until < Date.now();
  if (!newSecret || (newSecret.clientId !== clientId && !isOver)) return undefined;
  request.session.newSecret = undefined;
  return isOver ? undefined : vault.open(Buffer.from(newSecret.sealed, "base64"), place(request, clientId));
}

/** Binds the seal to this session, user and application (attacks S03). */
function place({ session }: FastifyRequest, clientId: string): string {
  const id = Buffer.from(sha256(session.sessionId)).toString("hex");
  return `directory.session/${id}/${session.owner}/${clientId}/newSecret`;
}
