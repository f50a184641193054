import type { Page, Response } from "playwright-core";
import type { Database } from "../../src/db/database.ts";
import { openToken } from "../../src/directory/tokens.ts";
import { createVault } from "../../src/shared/crypto.ts";
import { createWebVault, storedCredentials } from "../../src/web/client-secret/credentials.ts";
import { expectNoSecrets } from "../support/canaries.ts";

type Traffic = ReturnType<typeof recordTraffic>;

/** Records what the page's browser receives from now on (heads and bodies), and the Referers it sends. */
export function recordTraffic(page: Page) {
  const answers: Promise<Seen>[] = [];
  page.context().on("response", (response) => {
    const seen = read(response);
    seen.catch(() => {}); // awaited in expectNothingLeaked, unless the test fails first
    answers.push(seen);
  });
  return { answers };
}

interface Seen {
  url: URL;
  body: string;
  referer: string;
  cookies: string[];
  location: string;
  headers: string;
}

async function read(response: Response): Promise<Seen> {
  const isText = /html|json|text\/plain/.test(response.headers()["content-type"] ?? "");
  const isRedirect = response.status() >= 300 && response.status() < 400;
  // Asked for before anything else: the browser drops the bodies of a page that it leaves.
  const body = isText && !isRedirect ? response.text().catch(unlessLeft) : "";
  const heads = await response.headersArray();
  const valuesOf = (name: string) => heads.filter((head) => head.name.toLowerCase() === name).map(({ value }) => value);
  return {
    url: new URL(response.url()),
    body: await body,
    referer: (await response.request().headerValue("referer")) ?? "",
    cookies: valuesOf("set-cookie"),
    location: valuesOf("location").join(),
    headers: heads
      .filter(({ name }) => !/^(set-cookie|location)$/i.test(name))
      .map(({ value }) => value)
      .join("\n"),
  };
}

function unlessLeft(error: Error): string {
  if (!error.message.includes("navigated away from")) throw error;
  return "";
}

/**
 * Fails if a secret appears in logs, pages or headers. A session cookie is allowed in Set-Cookie and a code in the
 * redirect to the application, on their own hosts.
 */
export async function expectNothingLeaked(
  traffic: Traffic,
  logs: Record<string, string>,
  known: Record<string, string[]>,
): Promise<void> {
  const seen = await Promise.all(traffic.answers);
  const callbacks = seen.filter(({ url }) => url.pathname === "/login/callback");
  const codes = callbacks.flatMap(({ url }) => url.searchParams.getAll("code"));
  const cookies = seen.flatMap((answer) => answer.cookies).map((line) => /^[^=]+=([^;]*)/.exec(line)?.[1] ?? "");
  const ids = cookies.map((value) => decodeURIComponent(value).split(".")[0] ?? "");
  const sessions = ids.filter((id) => id.length > 1); // a "1" only says that somebody logged out

  const all = (part: (answer: Seen) => string) => seen.map(part).join("\n");
  const fromCodeGiver = (answer: Seen) =>
    /[?&]code=/.test(answer.location) && answer.url.pathname.startsWith("/oauth2/");
  const everywhere = {
    ...logs,
    "the pages": all(({ body }) => body),
    "the headers": all(({ headers }) => headers),
    "the referers": all(({ referer }) => referer),
  };
  const redirects = { "a redirect": all((answer) => (fromCodeGiver(answer) ? "" : answer.location)) };
  const carriers = { "a redirect with a code": all(({ location }) => location) };
  const setCookies = { "a cookie": all((answer) => answer.cookies.join("\n")) };
  expectNoSecrets({ ...everywhere, ...redirects }, { ...known, code: codes, session: sessions });
  expectNoSecrets({ ...carriers }, { ...known, session: sessions });
  expectNoSecrets({ ...setCookies }, { ...known, code: codes });
}

/** The client secret and all access tokens in a database. */
export async function secretsOf(
  { prisma, pool }: Database,
  { encryptionKeys, baseUrl }: { encryptionKeys: string[]; baseUrl: string },
): Promise<Record<string, string[]>> {
  const vault = createVault(encryptionKeys, "directory");
  const rows = await prisma.authorization.findMany();
  const tokens = rows.flatMap(({ userId, clientId, tokenSealed }) =>
    tokenSealed ? [openToken(vault, { userId, clientId }, tokenSealed)] : [],
  );
  const credentials = await storedCredentials({ pool, vault: createWebVault(encryptionKeys) }, baseUrl);
  return {
    "access token": tokens,
    "client secret": credentials ? [credentials.clientSecret] : [],
    "encryption key": encryptionKeys,
  };
}
