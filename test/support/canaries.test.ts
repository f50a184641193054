import { describe, expect, it } from "vitest";
import { expectNoSecrets } from "./canaries.ts";

const SECRET = "s3cr/t+ v~lué-9f8e7d";
const b64 = (text: string, encoding: "base64" | "base64url" = "base64") => Buffer.from(text).toString(encoding);
const search = (text: string) => () =>
  expectNoSecrets({ "a page": "nothing here", "the log": text }, { token: [SECRET] });

describe("the secret scanner", () => {
  it.each([
    ["in clear", `before ${SECRET} after`],
    ["in clear", JSON.stringify({ msg: `before ${SECRET} after` })],
    ["percent-encoded", `/callback?code=${encodeURIComponent(SECRET)}&state=x`],
    ["percent-encoded", `/callback?code=${encodeURIComponent(SECRET).toLowerCase()}`],
    ["percent-encoded", `next=${encodeURIComponent(`/callback?code=${encodeURIComponent(SECRET)}`)}`],
    ["percent-encoded", new URLSearchParams({ code: SECRET }).toString()],
    ["percent-encoded", Buffer.from(SECRET).toString("hex").replace(/../g, "%$&")],
    ["in hex", Buffer.from(SECRET).toString("hex")],
    ["in hex", Buffer.from(SECRET).toString("hex").toUpperCase()],
    ["in base64", b64(SECRET)],
    ["in base64", `Basic ${b64(`client:${SECRET}`)}`],
    ["in base64", `Basic ${b64(`client2:${SECRET}!`)}`],
    ["in base64", `Basic ${b64(`client-3:${SECRET}!!`)}`],
    ["in base64url", b64(`{"token":"~~${SECRET}~~"}`, "base64url")],
  ])("finds a secret %s: %s", (form, text) => {
    expect(search(text)).toThrow(`token in the log, ${form}`);
  });

  it("names the kind and place of a finding, but not the secret", () => {
    const message = String(attempt(search(SECRET)));
    expect(message).toContain("token in the log");
    expect(message).not.toContain(SECRET);
  });

  it("ignores similar texts", () => {
    expect(
      search(`${SECRET.slice(0, -1)} ${b64(SECRET.slice(1, 12))} %zz %f0%28 ${SECRET.toUpperCase()}`),
    ).not.toThrow();
  });

  it("rejects an empty list of secrets or of places", () => {
    expect(() => expectNoSecrets({ log: "text" }, { token: [] })).toThrow("no token to look for");
    expect(() => expectNoSecrets({ log: "text" }, { token: ["short"] })).toThrow("too short");
    expect(() => expectNoSecrets({ log: "" }, { token: [SECRET] })).toThrow("no text to search");
    expect(() => expectNoSecrets({}, { token: [SECRET] })).toThrow("no text to search");
  });
});

function attempt(action: () => void): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
