import { clientSecretsResponse, rotationResponse } from "../../../../src/contract/oauth.ts";
import { verifyClient } from "../../../../src/directory/applications/secrets.ts";
import type { AuthHost } from "../auth-host.ts";

export interface Client {
  clientId: string;
  clientSecret: string;
}

export type Sent = Record<string, string> | [string, string][];

interface Call {
  fields?: Sent;
  headers?: Record<string, string>;
  query?: string;
  on?: string;
}

export const basic = ({ clientId, clientSecret }: Client) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
});

/** Calls of the endpoint for an application's own secrets. */
export function clientSecretCalls(host: AuthHost) {
  async function call(method: string, { fields, headers = {}, query = "", on = host.url }: Call) {
    const body = fields ? { body: new URLSearchParams(fields) } : {};
    const reply = await fetch(`${on}/oauth2/client_secret${query}`, { method, headers, ...body });
    return { status: reply.status, headers: reply.headers, body: await reply.json() };
  }
  return {
    call,
    /** An application that is allowed to. */
    selfRotating: () => host.application({ rotatesItself: true }),
    works: async ({ clientId, clientSecret }: Client) =>
      (await verifyClient(host.deps, clientId, clientSecret)) !== undefined,
    list: async (client: Client) => clientSecretsResponse.parse((await call("GET", { headers: basic(client) })).body),
    /** Returns the new secret as `next`. */
    async rotate(client: Client, fields: Sent = {}, on = host.url) {
      const { body } = await call("POST", { headers: basic(client), fields, on });
      const answer = rotationResponse.parse(body);
      return { ...answer, next: { clientId: client.clientId, clientSecret: answer.client_secret } };
    },
  };
}
