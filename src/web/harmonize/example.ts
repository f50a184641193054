import type { FastifyReply, FastifyRequest } from "fastify";
import { findExample, hasExample, startExample } from "../../harmonize/file/example.ts";
import { untilGone } from "../../http/uploads.ts";
import { notFound } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { type Member, members } from "../base/members.ts";

/** `GET /example`: a guest sees the example that was matched for all of them; a member their own copy, or where to ask for one. */
export async function showExample(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!hasExample()) throw notFound();
  if (request.session.owner) return members(web, showOwn)(request, reply);
  return reply.redirect(`/harmonizations/${await exampleOfGuests(web, untilGone(reply))}`, 303);
}

const showOwn = async ({ harmonizer }: Web, _request: FastifyRequest, reply: FastifyReply, { id }: Member) => {
  const own = await findExample(harmonizer, id);
  return reply.redirect(own ? `/harmonizations/${own.id}` : "/harmonizations", 303);
};

/** While this process makes it, so that there are no two. */
let making: Promise<string> | undefined;

async function exampleOfGuests({ harmonizer }: Web, signal: AbortSignal): Promise<string> {
  const found = await findExample(harmonizer, null);
  if (found && found.state !== "draft") return found.id; // a process that ended may have left a draft
  making ??= startExample(harmonizer, signal, found).finally(() => {
    making = undefined;
  });
  return making;
}
