import { request } from "undici";
import type { Config } from "../config/config.ts";
import { checked, type Finding, ok, problem, warning } from "../shared/finding.ts";
import { trustAdvice } from "../shared/trust.ts";
import { readCertificate } from "../web/admin/checks.ts";
import { compareClocks } from "./database.ts";

const DEADLINE_MS = 5000;

interface Answer {
  status: number;
  date: string | undefined;
  text: string;
  json: Record<string, unknown>;
  location: string | undefined;
}

/** Everything that a person's browser would meet at the public addresses, asked from here. */
export async function lookAtAddresses(config: Config, clientId: string | undefined): Promise<Finding[]> {
  const own = config.roles.has("directory");
  const addresses = [
    ...(config.roles.has("app") ? [{ name: "APP_URL", url: config.web.url, isOurs: true }] : []),
    { name: "AUTH_URL", url: config.auth.url, isOurs: own },
    { name: "BASE_URL", url: config.api.url, isOurs: own },
  ];
  const each = addresses.map(async (address) => [
    ...(await lookAtHost(address)),
    ...(address.url.startsWith("https:")
      ? await checked(`Certificate of ${address.name}`, () => lookAtTls(address))
      : []),
  ]);
  const directory = [lookAtMetadata(config), lookAtRedirectUri(config, clientId)];
  return (await Promise.all([...each, ...directory])).flat();
}

async function lookAtHost({ name, url, isOurs }: { name: string; url: string; isOurs: boolean }): Promise<Finding[]> {
  const answer = await ask(`${url}/readyz`).catch((error: Error) => error);
  if (answer instanceof Error) {
    const distrust = trustAdvice(reasonOf(answer));
    if (distrust) return [problem(name, `The certificate of ${url} is not trusted (${reasonOf(answer)}).`, distrust)];
    const todo = "Start Samespot; then check the name (DNS), the firewall and the proxy.";
    return [problem(name, `${url} does not answer (${reasonOf(answer)}).`, todo)];
  }
  const clock = answer.date ? [compareClocks(`Clock at ${name}`, Date.parse(answer.date) - Date.now())] : [];
  if (!isOurs) return [ok(name, `${url} answers.`), ...clock];
  const { status, problems = [] } = answer.json as { status?: string; problems?: string[] };
  if (status === undefined)
    return [
      problem(
        name,
        `Something else than Samespot answers at ${url}.`,
        "Point the address, or the proxy, to Samespot's port.",
      ),
    ];
  if (status !== "ready")
    return [problem(name, `Not ready: ${problems.join(", ")}.`, "See the log of that process."), ...clock];
  return [ok(name, `${url} is ready.`), ...(await lookAtProxy(name, url)), ...clock];
}

/** A page, since health checks work without https. Every host refuses it if the proxy does not say https. */
async function lookAtProxy(name: string, url: string): Promise<Finding[]> {
  const line = `Proxy of ${name}`;
  const { status, text } = await ask(`${url}/login`);
  if (status === 400 && text.includes("HTTPS is required"))
    return [
      problem(
        line,
        "Pages are refused: Samespot does not see that people use https.",
        "Let the proxy send X-Forwarded-Proto and X-Forwarded-For, and name its address in TRUST_PROXY.",
      ),
    ];
  if (status === 421)
    return [
      problem(line, "The proxy passes on another Host.", "Let the proxy pass on the Host of the public address."),
    ];
  return [ok(line, url.startsWith("https:") ? "Pages see https." : "None needed on this machine.")];
}

async function lookAtTls({ name, url }: { name: string; url: string }): Promise<Finding> {
  const line = `Certificate of ${name}`;
  const { validTo, isEnding, distrust } = await readCertificate(url, DEADLINE_MS);
  const hours = Math.floor((validTo.getTime() - Date.now()) / 3_600_000);
  const days = Math.floor(hours / 24);
  if (days < 0) return problem(line, `It expired ${-days} days ago.`, "Renew it.");
  if (distrust)
    return problem(
      line,
      `It is not trusted (${distrust}).`,
      trustAdvice(distrust) ?? "Serve a trusted certificate for this name, with the whole chain.",
    );
  const left = days < 2 ? `${hours} hours left.` : `${days} days left.`;
  return isEnding ? warning(line, left, "Renew it.") : ok(line, left);
}

async function lookAtMetadata({ auth, roles }: Config): Promise<Finding[]> {
  const name = "Metadata of the directory";
  const answer = await ask(`${auth.url}/.well-known/oauth-authorization-server`).catch(() => undefined);
  if (!answer) return []; // AUTH_URL is a finding of its own
  const { issuer } = answer.json;
  if (answer.status !== 200 || typeof issuer !== "string")
    return [warning(name, "None: its extensions are not used.", "None needed if the directory is not Samespot's.")];
  if (issuer === auth.url) return [ok(name, `Its issuer is ${issuer}.`)];
  const todo = roles.has("directory") ? "Give all processes the same AUTH_URL." : `Set AUTH_URL=${issuer}`;
  return [problem(name, `Its issuer is ${issuer}, not AUTH_URL.`, todo)];
}

/** Begins a log-in as the web app does, and ends there. A directory shows an error page for an unknown redirect URI. */
async function lookAtRedirectUri({ auth, web }: Config, clientId: string | undefined): Promise<Finding[]> {
  const name = "Redirect URI";
  const uri = `${web.url}/login/callback`;
  if (clientId === undefined)
    return [warning(name, "The web app is not registered yet.", "Start Samespot, or set CLIENT_ID and CLIENT_SECRET.")];
  const query = new URLSearchParams({ client_id: clientId, response_type: "code", redirect_uri: uri, state: "doctor" });
  const answer = await ask(`${auth.url}/oauth2/authenticate?${query}`).catch(() => undefined);
  if (!answer) return [];
  if (answer.status >= 500) {
    const todo = "See the findings about the database, and the log of the directory.";
    return [problem(name, `It could not be checked: the directory answers a log-in with ${answer.status}.`, todo)];
  }
  if (answer.status < 400 && !answer.location?.includes("error=")) return [ok(name, `${uri} is registered.`)];
  return [
    problem(
      name,
      `The directory refuses ${uri}.`,
      `Register this redirect URI for the application ${clientId} at the directory.`,
    ),
  ];
}

async function ask(url: string): Promise<Answer> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const { statusCode, headers, body } = await request(url, {
    signal,
    headers: { accept: "text/html, application/json" },
  });
  const text = (await body.text()).slice(0, 200_000);
  const one = (value: string | string[] | undefined) => [value].flat()[0];
  return { status: statusCode, date: one(headers.date), location: one(headers.location), text, json: objectIn(text) };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

const reasonOf = (error: Error): string => ("code" in error ? String(error.code) : error.name);
