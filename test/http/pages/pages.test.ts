import Fastify, { type FastifyInstance } from "fastify";
import { expect, it } from "vitest";
import { errorPages } from "../../../src/http/pages/pages.ts";
import { registerViews, sendView } from "../../../src/http/pages/views.ts";
import { notFound } from "../../../src/shared/errors.ts";
import { FRAME } from "./frame.ts";

it("a view that fails in production shows the error page", async () => {
  const { app, log } = await appOf(FRAME);
  const { statusCode, body } = await app.inject("/broken");
  expect(statusCode).toBe(500);
  expect(body).toContain("error-page");
  expect(log.join("")).toContain("a view prints undefined");
});

it("views: an error page whose own view fails is plain, with the request id and no other detail", async () => {
  const { app, log } = await appOf({ ...FRAME, home: { secret: "x" } as never });
  for (const [url, status] of [
    ["/broken", 500],
    ["/nowhere", 404],
  ] as const) {
    const { statusCode, headers, body } = await app.inject(url);
    expect(statusCode).toBe(status);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(body).toContain("<h1>That did not work</h1>");
    expect(body).toMatch(/quote request <code>req-\w+<\/code>/);
    expect(body).not.toContain("nowhere");
  }
  expect(log.filter((line) => line.includes("error page failed"))).toHaveLength(2);
});

async function appOf(defaults: typeof FRAME): Promise<{ app: FastifyInstance; log: string[] }> {
  const log: string[] = [];
  const app = Fastify({ logger: { stream: { write: (line) => log.push(line) } } });
  await registerViews(app, { production: true, defaults });
  app.setErrorHandler(errorPages("none", ["en"]));
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  app.get("/broken", (_request, reply) => sendView(reply, "login/popup", { title: "Broken" } as never));
  return { app, log };
}
