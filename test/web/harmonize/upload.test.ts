import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { EXAMPLE } from "../../../src/harmonize/file/example.ts";
import { formFields, type HttpClient } from "../../support/http-client.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb({ env: { MAX_FILE_MB: "30", MAX_FILE_COLUMNS: "400" } });
const { prisma } = web.database;
const browser = await web.logIn();

const CSV = "id,name,lat,lng\n1,Joe’s Pizza,41.8236,-71.4222\n2,Café Ann,41.8246,-71.4122\n";

const token = async (client: HttpClient = browser): Promise<string> =>
  formFields(await client.get("/settings"), "/logout")._csrf ?? "";

type Part = [name: string, value: string | Uint8Array, fileName?: string];

/** Sends the parts in their order, as a browser does. */
async function send(parts: Part[], headers: Record<string, string> = {}, client = browser) {
  const body = new FormData();
  for (const [name, value, fileName] of parts)
    if (fileName === undefined) body.append(name, value as string);
    else body.append(name, new Blob([value as Uint8Array<ArrayBuffer>]), fileName);
  const cookie = `samespot=${client.cookies.get("samespot")}`;
  const init = { method: "POST", body, redirect: "manual", headers: { cookie, origin: web.url, ...headers } } as const;
  const reply = await fetch(`${web.url}/harmonizations`, init);
  const location = reply.headers.get("location") ?? "";
  return { status: reply.status, location, body: await reply.text(), id: location.split("/").at(-1) ?? "" };
}

const find = (id: string) => prisma.harmonization.findUniqueOrThrow({ where: { id }, include: { parts: true } });
const rows = async () => [await prisma.harmonization.count(), await prisma.filePart.count()];

describe("an upload", () => {
  test("becomes a draft with a guessed layout and unchanged bytes", async () => {
    const { status, id } = await send([
      ["_csrf", await token()],
      ["file", CSV, "places.csv"],
    ]);
    expect(status).toBe(303);
    const found = await find(id);
    expect(found).toMatchObject({ name: "places.csv", state: "draft", size: BigInt(Buffer.byteLength(CSV)) });
    expect(found).toMatchObject({ header: ["id", "name", "lat", "lng"], columns: { id: 0, name: 1, lat: 2, lng: 3 } });
    expect(found.format).toEqual({ encoding: "utf-8", separator: ",", hasHeader: true });
    expect(found.parts.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([CSV]);
  });

  test("may be pasted text, which is kept on the page if it is refused", async () => {
    const pasted = await send([
      ["_csrf", await token()],
      ["text", CSV.replaceAll(",", "\t")],
    ]);
    expect((await find(pasted.id)).format).toMatchObject({ separator: "\t" });
    const refused = await send([
      ["_csrf", await token()],
      ["text", "name,city"],
    ]);
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining("name,city</textarea>")]);
    expect(refused.body).toContain("This file has only one line");
    const much = await send([
      ["_csrf", await token()],
      ["text", CSV.repeat(20_000)],
    ]);
    expect([much.status, much.body]).toEqual([413, expect.stringContaining("Upload it as a file")]);
  });

  test("without a file is refused", async () => {
    const nothing = await send([
      ["_csrf", await token()],
      ["text", ""],
      ["file", "", ""],
    ]);
    expect([nothing.status, nothing.body]).toEqual([400, expect.stringContaining("Choose a file, or paste")]);
    expect((await browser.post("/harmonizations", { _csrf: await token() })).status).toBe(400);
  });

  test.runIf(existsSync(EXAMPLE))("may be the example", async () => {
    const page = await browser.get("/harmonizations");
    expect(page.body).toContain("Try our example");
    const { location } = await browser.post("/harmonizations", { _csrf: await token(), example: "1" });
    expect(await find(location.split("/").at(-1) ?? "")).toMatchObject({ state: "draft", name: "listings.csv" });
  });

  test("W01: without the CSRF token before the file stores nothing", async () => {
    const before = await rows();
    const own = await token();
    const other = await token(await web.logIn());
    const file: Part = ["file", CSV, "a.csv"];
    const forged: [Part[], Record<string, string>?][] = [
      [[file]],
      [[file, ["_csrf", own]]],
      [[["_csrf", ""], file]],
      [[["_csrf", other], file]],
      [[["_csrf", own, "token.txt"], file]],
      [[["csrf", own], file]],
      [[["_csrf", own], file], { origin: "https://evil.example" }],
      [[["_csrf", own], file], { "sec-fetch-site": "cross-site" }],
      [[["_csrf", own], file], { cookie: "" }],
    ];
    for (const [parts, headers] of forged) expect((await send(parts, headers)).status).toBe(403);
    expect(await rows()).toEqual(before);
    const elsewhere = await fetch(`${web.url}/settings/disconnect`, { method: "POST", body: new FormData() });
    expect(elsewhere.status).toBe(415);
  });

  test.each([
    ["half a gzip", gzipSync(CSV).subarray(0, 60), /damaged or incomplete/],
    ["half a zip named csv", Buffer.from("504b030414000600", "hex"), /damaged or incomplete/],
    ["an image", Buffer.from("89504e470d0a1a0a", "hex"), /image \(PNG\)/],
    ["nothing", Buffer.alloc(0), /is empty/],
    ["10,000 columns", Buffer.from(`${"a,".repeat(9999)}a\n1\n`), /has more than 400 columns/],
    ["an open quote in front", Buffer.from('"name,lat\nA,1\n'), /first line of this file cannot be read/],
    ["a first line of 10 MB", Buffer.alloc(10_000_000, "a"), /longer than a million/],
  ])("W11: of %s is refused with a reason, and nothing is stored", async (_, bytes, words) => {
    const before = await rows();
    const { status, body } = await send([
      ["_csrf", await token()],
      ["file", bytes, "places.csv"],
    ]);
    expect([status, body]).toEqual([400, expect.stringMatching(words)]);
    expect(await rows()).toEqual(before);
  });

  test("W13: with a hostile name is harmless", async () => {
    const names = [
      "../../etc/pass\u0000wd.csv",
      "C:\\lists\\a\r\nSet-Cookie: x=1.csv",
      "x".repeat(4096),
      "<script>alert(1)",
    ];
    const kept: string[] = [];
    for (const name of names) {
      const file: Part = ["file", CSV, name];
      kept.push((await find((await send([["_csrf", await token()], file])).id)).name);
    }
    // The sender escapes the line break.
    expect(kept).toEqual(["pass wd.csv", "a%0D%0ASet-Cookie: x=1.csv", "x".repeat(120), "<script>alert(1)"]);
    expect((await browser.get("/harmonizations")).body).not.toContain("<script>alert");
  });

  const raw = async (lines: string[], body = "") => {
    const cookie = `cookie: samespot=${browser.cookies.get("samespot")}`;
    const host = new URL(web.url).host;
    const head = ["POST /harmonizations HTTP/1.1", `host: ${host}`, `origin: ${web.url}`, cookie, ...lines, "", ""];
    const socket = connect(Number(new URL(web.url).port), "localhost");
    socket.write(head.join("\r\n") + body);
    return socket.setEncoding("utf8");
  };
  const TYPE = "content-type: multipart/form-data; boundary=b";

  test("W11: with a declared size over MAX_FILE_MB, which the page states, is refused before it is read", async () => {
    expect((await browser.get("/harmonizations")).body).toContain("Up to 30 MB");
    const socket = await raw([TYPE, `content-length: ${33 * 1024 * 1024}`]);
    const [answer] = await once(socket, "data");
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain("at most 30 MB");
    await once(socket, "close");
  });

  test("W13: that is broken off stores nothing, and is never listed", async () => {
    const before = await rows();
    const start = `--b\r\ncontent-disposition: form-data; name="_csrf"\r\n\r\n${await token()}\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="cut.csv"\r\n\r\n`;
    const socket = await raw([TYPE, "content-length: 5000000"], start + "x,y\n".repeat(200_000));
    const [files = 0, parts = 0] = before;
    await expect.poll(rows).toEqual([files + 1, parts + 3]);
    expect((await browser.get("/harmonizations")).body).not.toContain("cut.csv");
    socket.destroy();
    await expect.poll(rows).toEqual(before);
  });
});
