import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { text } from "../../contract/text.ts";
import { hasExample } from "../../harmonize/file/example.ts";
import { isOwner, listHarmonizations } from "../../harmonize/run/harmonizations.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { checkParameters } from "../../http/parameters.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import type { Member } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { LONGEST_NAME } from "./draft/form.ts";
import { runViews } from "./run-views.ts";

/** `GET /harmonizations` (`q`: part of the name). */
export const showList = (web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) =>
  sendList(web, reply, member, { q: checkParameters(asked, request.query).value?.q ?? "" });

const asked = z.object({ q: text("q", LONGEST_NAME).optional() });

/** What public/upload.js says; it replaces # by the name of the file, and ## by a number. */
const uploadWords = () => ({
  "data-empty": t("{name} is empty. Choose a file with at least one row.", { name: "#" }),
  "data-too-large": t("{name} has {megabytes} MB, more than can be uploaded at once. Split it.", {
    name: "#",
    megabytes: "##",
  }),
  "data-uploaded": t("{percent} % uploaded", { percent: "##" }),
  "data-reading": t("Reading the first lines…"),
  "data-cut": t("The connection was cut. Please upload the file again."),
  "data-failed": t("That did not work. Please reload this page and upload the file again."),
});

interface Asked {
  q?: string;
  /** Why an upload was refused. */
  notice?: Notice;
  pasted?: string;
}

export async function sendList(
  web: Web,
  reply: FastifyReply,
  member: Member,
  { q = "", notice, pasted = "" }: Asked = {},
) {
  const found = await listHarmonizations(web.harmonizer, member, { named: q });
  const runs = found.filter((run) => run.state !== "draft" || isOwner(run, member)); // as its page (draft.ts)
  const views = await runViews(web, member, runs);
  return sendPage(reply, member, "harmonize/index", {
    title: t("Files"),
    path: "/harmonizations",
    runs: views.filter(({ isOwn }) => isOwn),
    others: views.filter(({ isOwn }) => !isOwn),
    hasExample: hasExample(),
    mostMegabytes: web.harmonizer.limits.megabytes,
    uploadWords: uploadWords(),
    q,
    notice,
    pasted,
  });
}
