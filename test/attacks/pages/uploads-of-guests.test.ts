import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { sessionOf, startWeb } from "../../web/web-app.ts";

const web = await startWeb();
const { hostname, port, host, origin } = new URL(web.url);

/** Sends the head of a large upload, then 9 KB a second until the connection closes or the time is over. */
async function upload(cookie: string, forMs: number) {
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  let text = "";
  socket
    .on("error", () => {})
    .on("data", (more) => {
      text += more;
    });
  const head = [
    "POST /harmonizations HTTP/1.1",
    `host: ${host}`,
    `origin: ${origin}`,
    `cookie: ${cookie}`,
    "content-type: multipart/form-data; boundary=b",
    "content-length: 100000000",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n--b\r\ncontent-disposition: form-data; name="_csrf"\r\n\r\n`);
  const trickle = setInterval(() => socket.write("x".repeat(900)), 100);
  const begun = performance.now();
  const isOver = new Promise((resolve) => setTimeout(resolve, forMs));
  await Promise.race([once(socket, "close"), isOver]);
  clearInterval(trickle);
  const isOpen = !socket.closed;
  socket.destroy();
  return { isOpen, ms: performance.now() - begun, text };
}

it("W23: an upload without a session is refused before its body is read, and the connection closes", async () => {
  const browser = web.newBrowser();
  await browser.get("/login?next=/harmonizations");
  const guest = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const cookie of ["", "samespot=made-up", guest]) {
    const { isOpen, ms, text } = await upload(cookie, 15_000);
    expect(isOpen).toBe(false);
    expect(ms).toBeLessThan(10_000);
    expect(text).toMatch(/^HTTP\/1.1 403 [\s\S]*Log in and send the file again/);
  }
});

it("W23: a member's upload may be slow", async () => {
  const cookie = `samespot=${sessionOf(await web.logIn())}`;
  expect(await upload(cookie, 1500)).toMatchObject({ isOpen: true, text: "" });
});
