import type { FastifyReply, FastifyRequest } from "fastify";
import { takeOnce } from "../../../http/once.ts";

declare module "fastify" {
  interface Session {
    /** What was done with a harmonization: its next page says so, once. */
    runNotice?: RunNotice | undefined;
  }
}

interface RunNotice {
  kind: "success" | "info" | "warning";
  message: string;
}

/** Back to the harmonization's page, which says what came of it. */
export function backTo(reply: FastifyReply, id: string, notice?: RunNotice): FastifyReply {
  if (notice) reply.request.session.runNotice = notice;
  return reply.redirect(`/harmonizations/${id}`, 303);
}

/** The same where there is no such page any more: back to the list. */
export function backToList(reply: FastifyReply, notice: RunNotice): FastifyReply {
  reply.request.session.runNotice = notice;
  return reply.redirect("/harmonizations", 303);
}

/** @param name what was given, empty where nothing was */
export const renamedTo = (name: string): RunNotice =>
  name
    ? { kind: "success", message: `It is called ${name} now.` }
    : { kind: "warning", message: "It keeps its name: none was given." };

/** What the action before this page did, once. */
export const takeRunNotice = (request: FastifyRequest): RunNotice | undefined => takeOnce(request, "runNotice");
