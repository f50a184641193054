import type { FastifyReply, FastifyRequest } from "fastify";
import { findExample, hasExample, startExample } from "../../harmonize/file/example.ts";
import { untilGone } from "../../http/uploads.ts";
import { notFound } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { type Member, members } from "../base/members.ts";

/** `GET /example`: a guest sees the example that was matched for all of them, a member goes on with their own copy. */
export async function showExample(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!hasExample()) throw notFound();
  if (request.session.owner) return members(web, showOwn)(request, reply);
  return reply.redirect(`/harmonizations/${await exampleOf(web, null, untilGone(reply))}`, 303);
}

const showOwn = async (web: Web, _request: FastifyRequest, reply: FastifyReply, { id }: Member) =>
  reply.redirect(`/harmonizations/${await exampleOf(web, id, untilGone(reply))}`, 303);

/** Those that are being made by this process, so that nobody gets two. */
const making = new Map<string | null, Promise<string>>();

async function exampleOf({ harmonizer }: Web, accountId: string | null, signal: AbortSignal): Promise<string> {
  const found = await findExample(harmonizer, accountId);
  if (found) return found.id;
  const begun = making.get(accountId) ?? startExample(harmonizer, accountId, signal);
  making.set(accountId, begun);
  return begun.finally(() => making.delete(accountId));
}
