import type { FastifyReply } from "fastify";
import { goTo } from "../../../http/notice.ts";
import type { Notice } from "../../../http/parts.ts";

/** Back to the harmonization's page, which says what came of it. */
export const backTo = (reply: FastifyReply, id: string, notice?: Notice): FastifyReply =>
  goTo(reply, `/harmonizations/${id}`, notice);

/** @param name what was given, empty where nothing was */
export const renamedTo = (name: string): Notice =>
  name
    ? { kind: "success", message: `It is called ${name} now.` }
    : { kind: "warning", message: "It keeps its name: none was given." };
