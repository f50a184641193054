import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import { LANGUAGES, type Language, localeOf, negotiate } from "../../language/languages.ts";
import { currentLanguage, inLanguage, t } from "../../language/translate.ts";
import { badRequest } from "../../shared/errors.ts";
import { cookiesNamed } from "../cookies.ts";
import { textField } from "./forms.ts";

/** Holds the choice in the settings; without it `Accept-Language` decides. */
const COOKIE = "language";
const YEAR_SECONDS = 31_536_000;

export type Offered = readonly [Language, ...Language[]];

/** Handles each request in the language of its sender. */
export function registerLanguages(app: FastifyInstance, offered: Offered): void {
  const enter = (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const language = languageOf(request, offered);
    inLanguage(language, done, localeOf(language, request.headers["accept-language"]));
  };
  app.addHook("onRequest", enter);
  if (offered.length > 1)
    app.addHook("onRequest", (_request, reply, done) => {
      reply.header("vary", "accept-language, cookie");
      done();
    });
  // Reading a body leaves the context of the request.
  app.addHook("preValidation", enter);
}

export const languageOf = ({ headers }: Pick<FastifyRequest, "headers">, offered: Offered): Language =>
  negotiate(offered, {
    chosen: cookiesNamed(COOKIE, headers.cookie)[0],
    accepted: headers["accept-language"],
  });

/** For the settings page. Empty if there is no choice. */
export const languageChoices = (offered: Offered) =>
  offered.length < 2
    ? []
    : offered.map((code) => ({ code, name: nameOf(code), isCurrent: code === currentLanguage() }));

const nameOf = (code: Language): string => (code === "en-XA" ? "Pseudo-language" : LANGUAGES[code]);

/** Keeps the field `language` of a form in a cookie. */
export function keepLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  { offered, secure }: { offered: Offered; secure: boolean },
): void {
  const chosen = offered.find((code) => code === textField(request.body, "language"));
  if (!chosen) throw badRequest(t("Choose one of the languages on the settings page."));
  reply.setCookie(COOKIE, chosen, { path: "/", httpOnly: true, sameSite: "lax", secure, maxAge: YEAR_SECONDS });
}
