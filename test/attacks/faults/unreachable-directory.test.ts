import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import tls from "node:tls";
import { generate } from "selfsigned";
import { describe, expect, it, onTestFinished } from "vitest";
import { askAbout, startAtDirectories } from "../misbehaving.ts";

const { begin, listings, tries, row, clientOf, matchAt } = await startAtDirectories();

/** Starts an https directory with a trusted certificate that is valid until this date. */
async function startSecure(notAfterDate: Date) {
  const extensions = [{ name: "subjectAltName" as const, altNames: [{ type: 2 as const, value: "localhost" }] }];
  const notBeforeDate = new Date(Date.now() - 90 * 86_400_000);
  const made = await generate([{ name: "commonName", value: "localhost" }], {
    ...{ keyType: "ec", algorithm: "sha256", notBeforeDate, notAfterDate },
    extensions,
  });
  let requests = 0;
  const server = createServer({ cert: made.cert, key: made.private }, (_request, response) => {
    requests += 1;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ meta: { code: 200 }, response: { venues: [] } }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const trusted = tls.getCACertificates();
  tls.setDefaultCACertificates([...trusted, made.cert]);
  onTestFinished(() => {
    tls.setDefaultCACertificates(trusted);
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, requests: () => requests };
}

describe("an unreachable directory", () => {
  const days = (number: number) => new Date(Date.now() + number * 86_400_000);

  it("F26: with an expired certificate receives no secret, and can be retried", async () => {
    const good = await startSecure(days(30));
    expect(await askAbout(clientOf(good.url))).toMatchObject({ venues: [] });
    const expired = await startSecure(days(-1));
    const error = await askAbout(clientOf(expired.url)).catch((error: unknown) => error);
    expect(error).toMatchObject({ kind: "unreachable", status: 503, cause: { message: "CERT_HAS_EXPIRED" } });
    expect(expired.requests()).toBe(0);
  });

  it.each(["ENOTFOUND", "EAI_AGAIN"])("F26: with the DNS error %s costs a run no data", async (code) => {
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(Object.assign(new Error(`getaddrinfo ${code}`), { code }), []);
    const directory = clientOf("http://directory.example", lookup);
    await expect(askAbout(directory)).rejects.toMatchObject({
      ...{ kind: "unreachable", status: 503, cause: { message: code } },
      message: expect.not.stringMatching(/example|getaddrinfo/),
    });
    const { id } = await begin(60);
    await matchAt(directory, id);
    expect((await listings(id)).map(({ status }) => status)).toEqual(Array(60).fill("pending"));
    expect(await tries(id)).toEqual([0]);
    const { retryAt, pausedFor } = await row(id);
    expect([Number(retryAt) > Date.now(), pausedFor]).toEqual([true, null]);
  });
});
