import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken, textField } from "../../http/pages/forms.ts";
import { sendView } from "../../http/pages/views.ts";
import { t } from "../../language/translate.ts";
import { waitInWords } from "../../shared/errors.ts";
import { demoNote } from "../sample/remove.ts";
import { sourcesOf } from "../sources.ts";
import { askedFor, type ResultView, searchFor, unknownPlace } from "./base/found-venues.ts";
import { type AuthDeps, createBrake, signedInUser } from "./base/session.ts";

/** `GET /search?query=&near=`: venues by name or kind, near a place or anywhere. For everyone, with a limit for each network. */
export async function search(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply) {
  const typed = { query: textField(request.query, "query").trim(), near: textField(request.query, "near").trim() };
  const user = await signedInUser(deps, request);
  const { status, headers = {}, ...found } = await find(deps, request, typed);
  return sendView(reply.code(status).headers(headers), "directory/search", {
    title: t("Search"),
    user,
    csrf: user && csrfToken(reply),
    path: "/search",
    typed,
    demo: await demoNote(deps, user),
    errors: found.errors ?? {},
    results: found.results,
    credits: found.credits ?? "",
  });
}

interface Typed {
  query: string;
  near: string;
}

interface Found {
  status: number;
  headers?: Record<string, string>;
  errors?: { query?: string; near?: string; form?: string };
  /** Undefined if nothing was searched. */
  results?: ResultView[];
  credits?: string;
}

async function find(deps: AuthDeps, request: FastifyRequest, { query, near }: Typed): Promise<Found> {
  if (!query && !near) return { status: 200 };
  const { data: parameters, error } = askedFor({ query, near });
  if (!parameters)
    return {
      status: 400,
      errors: error.issues.some(({ path: [name] }) => name === "query") ? tooLong() : { near: unknownPlace() },
    };

  const refusal = await createBrake(deps, { name: "public search", limit: 100, windowSeconds: 15 * 60 }).count(
    "",
    request,
  );
  if (refusal) {
    const wait = waitInWords(Number(refusal.headers["retry-after"]));
    const form = t("Too many searches from your network. Try again in {wait}.", { wait });
    return { status: refusal.status, headers: refusal.headers, errors: { form } };
  }
  const found = await searchFor(deps, parameters);
  if (!found) return { status: 400, errors: { near: unknownPlace() } };
  const { venues, results } = found;
  const sources = await sourcesOf(deps.pool, venues);
  const credits = venues.flatMap(({ sourceId }) => (sourceId && sources.get(sourceId)?.attribution) || []);
  return { status: 200, results, credits: [...new Set(credits)].join(" ") };
}

const tooLong = () => ({ query: t("What: use at most 200 characters.") });
