import { expect } from "vitest";
import { z } from "zod";
import type { Config } from "../../../src/config/config.ts";
import { randomToken, sha256 } from "../../../src/shared/crypto.ts";
import { openApiDocument } from "../../../src/web/api/document.ts";
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
    const type = answer.headers.get("content-type") ?? "";
    const isJson = /^application\/(problem\+)?json/.test(type);
    const { status, headers: answered } = answer;
    const sent = { status, headers: answered, text, body: isJson && text ? JSON.parse(text) : undefined };
    expectAsDocumented(method, path, sent);
    return sent;
  };

const DOCUMENT = openApiDocument({ config: { web: { url: "http://localhost" } } as Config });
const OPERATIONS = Object.entries(DOCUMENT.paths as Record<string, Record<string, Operation>>).map(
  ([path, operations]) => ({
    at: new RegExp(`^/api/v1${path.slice("/api/v1".length).replace(/\{\w+\}/g, "[^/]+")}$`),
    operations,
  }),
);
interface Operation {
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}

/** Every answer of the API in the tests is one that its OpenAPI document promises, with no other fields. */
function expectAsDocumented(method: string, path: string, { status, headers, body }: Answered): void {
  const [bare = ""] = `/api/v1${path}`.split("?");
  const operation = OPERATIONS.find(({ at }) => at.test(bare))?.operations[method.toLowerCase()];
  if (!operation) return;
  const { content } = operation.responses[status] ?? operation.responses.default ?? { content: {} };
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  const promised = content[type] ?? content["application/octet-stream"];
  expect([method, bare, status, type, promised !== undefined]).toEqual([method, bare, status, type, true]);
  if (body === undefined || !content[type]) return;
  const { schema } = content[type];
  const checked =
    CHECKED.get(schema) ?? z.fromJSONSchema(("$ref" in schema ? PROBLEM : schema) as z.core.JSONSchema.JSONSchema);
  CHECKED.set(schema, checked);
  const { error } = checked.safeParse(body);
  expect([method, bare, status, error && z.prettifyError(error)]).toEqual([method, bare, status, undefined]);
}

const CHECKED = new Map<object, z.ZodType>();
const PROBLEM = (DOCUMENT.components as { schemas: { Problem: object } }).schemas.Problem;
