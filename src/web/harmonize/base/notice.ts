import type { FastifyReply } from "fastify";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { effective, missingColumns } from "../../../harmonize/run/row-repairs.ts";
import { goTo } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { formatList } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";

export const backTo = (reply: FastifyReply, id: string, notice?: Notice): FastifyReply =>
  goTo(reply, `/harmonizations/${id}`, notice);

/** @param name empty if none was given */
export const renamedTo = (name: string): Notice =>
  name
    ? { kind: "success", message: t("The file is now called {name}.", { name }) }
    : { kind: "warning", message: t("The name was not changed: enter a name.") };

/** Says of repairs that their columns are missing here, as a new edition may call them otherwise (attacks W165). */
export function unusedRepairs({ repairs, header }: Pick<Harmonization, "repairs" | "header">): string | undefined {
  const missing = effective(repairs).flatMap(({ repair }) => missingColumns(repair, header).slice(0, 1));
  if (missing.length === 0) return undefined;
  return t(
    "{count, plural, one {# repair is} other {# repairs are}} not used, because this file has no column {columns}.",
    {
      count: missing.length,
      columns: formatList([...new Set(missing)].map((name) => `“${name}”`)),
    },
  );
}

/** What a guest is told above the example. */
export const exampleNotice = (): Notice => ({
  kind: "info",
  heading: t("This is our example, already matched."),
  message: t("Look around: nothing can be changed here."),
  link: { href: "/login?next=%2Fexample", label: t("Log in to review your own copy") },
});
