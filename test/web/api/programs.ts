import { randomToken, sha256 } from "../../../src/shared/crypto.ts";
import type { Scope } from "../../../src/web/api/tokens.ts";
import type { startWeb } from "../web-app.ts";

type WebApp = Awaited<ReturnType<typeof startWeb>>;

interface Made {
  scopes?: Scope[];
  /** Ids of the files that it may see; all without. */
  files?: string[];
  more?: { expiresAt?: Date; endedAt?: Date };
}

/** Makes a token of an account, as the page would. */
export async function tokenOf(
  { database }: Pick<WebApp, "database">,
  accountId: string,
  given: Made = {},
): Promise<string> {
  const { scopes = ["read", "decide", "write"], files, more } = given;
  const token = `sspat_${randomToken()}`;
  const { prisma } = database;
  const lists = await prisma.list.findMany({ where: { files: { some: { id: { in: files ?? [] } } } } });
  const listIds = lists.map(({ id }) => id);
  const live = { name: "Test", hash: sha256(token), scopes, allFiles: files === undefined, listIds };
  await prisma.apiToken.create({
    data: { accountId, expiresAt: new Date(Date.now() + 86_400_000), ...live, ...more },
  });
  return token;
}

export interface Answered {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  body: any;
  text: string;
}

/** A program with a token that calls the API; a string or bytes are sent as they are, all else as JSON. */
export const programOf =
  ({ url }: Pick<WebApp, "url">, token: string | undefined) =>
  async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> => {
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": isRaw ? "application/octet-stream" : "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /^application\/(problem\+)?json/.test(answer.headers.get("content-type") ?? "");
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    };
  };
