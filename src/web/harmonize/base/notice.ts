import type { FastifyReply } from "fastify";
import { goTo } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { t } from "../../../language/translate.ts";

export const backTo = (reply: FastifyReply, id: string, notice?: Notice): FastifyReply =>
  goTo(reply, `/harmonizations/${id}`, notice);

/** @param name empty if none was given */
export const renamedTo = (name: string): Notice =>
  name
    ? { kind: "success", message: t("The file is now called {name}.", { name }) }
    : { kind: "warning", message: t("The name was not changed: enter a name.") };

/** What a guest is told above the example. */
export const exampleNotice = (): Notice => ({
  kind: "info",
  heading: t("This is our example, already matched."),
  message: t("Look around: nothing can be changed here."),
  link: { href: "/login?next=%2Fexample", label: t("Log in to review your own copy") },
});
