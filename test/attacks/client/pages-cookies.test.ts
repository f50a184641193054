import { expect, it } from "vitest";
import { rawRequest } from "../../directory/auth/auth-host.ts";
import { freePort } from "../../support/free-port.ts";
import { runningDirectory } from "../running-directory.ts";

const port = await freePort();
const HOST = "directory.example";
await runningDirectory({
  env: { AUTH_URL: `https://${HOST}`, AUTH_PORT: String(port), TRUST_PROXY: "127.0.0.0/8" },
});

it("A22: behind https the directory's cookies are __Host-, Secure, HttpOnly, SameSite=Lax and without a Domain", async () => {
  const headers = { host: HOST, "x-forwarded-proto": "https" };
  const { status, headers: given } = await rawRequest(`http://127.0.0.1:${port}/login`, { headers });
  expect([status, given["strict-transport-security"]]).toEqual([200, expect.stringContaining("max-age=31536000")]);
  const cookies = given["set-cookie"] ?? [];
  expect(cookies.length).toBe(1);
  for (const line of cookies) {
    const [pair = "", ...attributes] = line.split("; ");
    expect(pair).toMatch(/^__Host-samespot_directory=/);
    expect(new Set(attributes.filter((each) => !/^(Max-Age|Expires)=/.test(each)))).toEqual(
      new Set(["Path=/", "HttpOnly", "Secure", "SameSite=Lax"]),
    );
    expect(line.length).toBeLessThan(4096);
  }
});
