import type { FastifyReply, FastifyRequest } from "fastify";
import { deleteHarmonization } from "../../harmonize/run/deletion.ts";
import { findHarmonization, type Harmonization, isOwner, MOST_LISTED } from "../../harmonize/run/harmonizations.ts";
import { goTo, textField } from "../../http/pages/forms.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import type { Member } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { runViews } from "./run-views.ts";

const LIST = "/harmonizations";

/**
 * `POST /harmonizations/delete` (`file`…, or with `which=page` the ids in `page`): asks whether to delete these files, and with
 * `confirm=1` deletes them as their own pages do.
 */
export async function deleteFiles(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const files = await chosenFiles(web, request, member);
  if (files.length === 0)
    return goTo(reply, LIST, {
      kind: "warning",
      message: t("Choose some of your own files first. Nothing was deleted."),
    });
  if (textField(request.body, "confirm") !== "1")
    return sendPage(reply, member, "harmonize/delete", {
      title: t("{count, plural, one {Delete # file} other {Delete # files}}", { count: files.length }),
      files: await runViews(web, member, files),
    });
  for (const { id } of files) await deleteHarmonization(web.harmonizer, id);
  return goTo(reply, LIST, {
    kind: "success",
    message: t("{count, plural, one {# file is} other {# files are}} deleted. Nothing changes in the directory.", {
      count: files.length,
    }),
  });
}

/** Leaves out those that the member may not delete, and those that are gone. */
async function chosenFiles(web: Web, { body }: FastifyRequest, member: Member): Promise<Harmonization[]> {
  const sent =
    textField(body, "which") === "page"
      ? textField(body, "page").split(" ")
      : [(body as { file?: string | string[] } | undefined)?.file ?? []].flat();
  const ids = [...new Set(sent)].slice(0, MOST_LISTED);
  const found = await Promise.all(ids.map((id) => findHarmonization(web.harmonizer, member, id)));
  return found.filter((file) => file !== undefined).filter((file) => isOwner(file, member));
}
