import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** A page of a site other than the app and the directory. */
export const PLAIN_PAGE = `<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,"><p>The application</p>`;

/** Serves an origin on 127.0.0.1 until the test file ends, by default PLAIN_PAGE at every address. Returns the origin. */
export async function serveSite(answer: RequestListener = (_request, response) => response.end(PLAIN_PAGE)) {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    return answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
