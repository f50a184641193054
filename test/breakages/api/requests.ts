import type { Breakage } from "../breakage.ts";

/** Group C, what a request of the venue API is made of: C09 to C14. */
export const requestBreakages: Breakage[] = [
  {
    id: "C09",
    breaks: "broken UTF-8 is kept as U+FFFD",
    file: "src/contract/parameters.ts",
    find: "\\u2066-\\u2069\\ufffd]",
    replace: "\\u2066-\\u2069]",
    test: "test/attacks/api/characters.test.ts",
  },
  {
    id: "C09",
    breaks: "control characters reach the database",
    file: "src/contract/parameters.ts",
    find: "(?![\\t\\n])\\p{Cc}|",
    replace: "",
    test: "test/attacks/api/characters.test.ts",
  },
  {
    id: "C10",
    breaks: "of a parameter given twice the last one counts",
    file: "src/http/parameters.ts",
    find: "Object.hasOwn(source, name) ? source[name] : undefined",
    replace: "Object.hasOwn(source, name) ? [source[name]].flat().at(-1) : undefined",
    test: "test/attacks/api/repeated.test.ts",
  },
  {
    id: "C10",
    breaks: "what a form says takes the place of what the query says",
    file: "src/directory/endpoint/endpoint.ts",
    find: "merged[name] === undefined ? value : [merged[name], value].flat()",
    replace: "value",
    test: "test/attacks/api/repeated.test.ts",
  },
  {
    id: "C11",
    breaks: "categories are looked up in an object with a prototype",
    file: "src/directory/categories/tree.ts",
    find: "  return paths.get(id)?.at(-1);",
    replace: "  return (Object.fromEntries(paths) as Record<string, readonly Category[]>)[id]?.at(-1);",
    test: "test/attacks/api/literal.test.ts",
  },
  {
    id: "C11",
    breaks: "the queries of a batch are kept by assignment",
    file: "src/directory/reconcile/version-02.ts",
    find: "return Object.fromEntries(answers.map((answer, index) => [names[index], resultOf(answer)]));",
    replace:
      'return answers.reduce<Record<string, unknown>>((all, answer, index) => { all[names[index] ?? ""] = resultOf(answer); return all; }, {});',
    test: "test/attacks/api/literal.test.ts",
  },
  {
    id: "C12",
    breaks: "each repetition of a name copies all before it",
    file: "src/http/parameters.ts",
    find: "  if (Array.isArray(before)) before.push(value);\n  else fields[name] = before === undefined ? value : [before, value];",
    replace: "  fields[name] = before === undefined ? value : [before, value].flat();",
    test: "test/attacks/api/repeated.test.ts",
  },
  {
    id: "C12",
    breaks: "bodies may have any size",
    file: "src/http/server.ts",
    find: "    bodyLimit: 64 * 1024,",
    replace: "    bodyLimit: 64 * 1024 * 1024,",
    test: "test/attacks/api/repeated.test.ts",
  },
  {
    id: "C13",
    breaks: "HEAD is answered as GET, with its effect",
    file: "src/directory/api/app.ts",
    find: "    isApi: true,",
    replace: "    isApi: true,\n    answerHead: true,",
    test: "test/attacks/api/paths.test.ts",
  },
  {
    id: "C13",
    breaks: "PUT exchanges codes as well",
    file: "src/directory/auth/access-token.ts",
    find: '{ methods: ["GET", "POST"], invalidClientStatus: 400 });\n  app.route({\n    method: ["GET", "POST"],',
    replace:
      '{ methods: ["GET", "POST", "PUT"] as ["GET"], invalidClientStatus: 400 });\n  app.route({\n    method: ["GET", "POST", "PUT"],',
    test: "test/attacks/api/paths.test.ts",
  },
  {
    id: "C14",
    breaks: "credentials are asked for by the address as it is spelt",
    file: "src/directory/endpoint/endpoint.ts",
    find: "request.caller = await authenticate(deps, parseParameters(commonParameters, raw), call);",
    replace:
      'request.caller = request.url.startsWith("/v2/venues/") || request.url.startsWith("/v2/users/") ? await authenticate(deps, parseParameters(commonParameters, raw), call) : { clientId: "nobody", rateLimit: null };',
    test: "test/attacks/api/paths.test.ts",
  },
];
