import { describe, expect, it } from "vitest";
import { checkRedirectUri } from "../../../src/directory/applications/applications.ts";

describe("the registration of a redirect URI", () => {
  it.each([
    "https://app.example/cb",
    "https://app.example",
    "https://app.example:8443/cb?x=1",
    "http://localhost:5000/cb",
    "http://127.0.0.1/cb",
    "http://[::1]:1/cb",
  ])("accepts %s", (uri) => expect(() => checkRedirectUri(uri)).not.toThrow());

  it.each([
    ["javascript:alert(1)", "must be https"],
    ["data:text/html,x", "must be https"],
    ["myapp://cb", "must be https"],
    ["http://app.example/cb", "must be https"],
    ["http://localhost.evil.example/cb", "must be https"],
    ["http://localhost@evil.example/cb", "must be https"],
    ["https://app.example/cb#x", "fragment"],
    ["https://app.example/cb#", "fragment"],
    ["https://*.example/cb", "wildcard"],
    ["https://app.example/*", "wildcard"],
    ["https://user:pass@app.example/cb", "user name"],
    ["https://app.example\\cb", "percent-encoded"],
    ["https://app.example/a b", "percent-encoded"],
    ["https://äpp.example/cb", "percent-encoded"],
    ["https://APP.example/cb", "written as https://app.example/cb"],
    ["https://app.example:443/cb", "written as https://app.example/cb"],
    ["https://app.example/a/../cb", "written as https://app.example/cb"],
    ["https://app.example/cb?code=1", "which the response adds"],
    ["app.example/cb", "must be"],
    ["", "absolute URL"],
    [`https://app.example/${"a".repeat(2000)}`, "longer"],
  ])("rejects %j with the reason", (uri, why) => expect(() => checkRedirectUri(uri)).toThrow(why));
});
