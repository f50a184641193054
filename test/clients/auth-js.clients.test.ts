import "./installed.ts";
import { describe, expect, it } from "vitest";
import type { Input, Outcome } from "./auth-js-child.ts";
import { directoryBehindFront, PERSON, SCEPTIC } from "./client-site.ts";
import { runBehindFront } from "./tls-front.ts";

const { client, front } = await directoryBehindFront("https://site.example/auth/callback/foursquare");

const logIn = (more: Partial<Input> = {}) =>
  runBehindFront<Outcome>(front, "auth-js-child.ts", { ...client, person: PERSON, decision: "allow", ...more });

describe("@auth/core 0.41.3 with its own foursquare provider", () => {
  it("logs in with PKCE and HTTP Basic credentials, and identifies the user", async () => {
    const { asked, landed, session, errors } = await logIn();
    expect(errors).toEqual([]);
    expect(asked).toMatchObject({ response_type: "code", code_challenge_method: "S256" });
    expect(landed).toBe("https://site.example");
    expect(session?.user).toEqual({
      name: "Ada Lovelace",
      email: PERSON.email,
      image: expect.stringMatching(/^https:\/\/api\.foursquare\.com\/icons\/users_original\.svg$/),
    });
  });

  it("reports a denied consent", async () => {
    const { landed, session, errors } = await logIn({ person: SCEPTIC, decision: "deny" });
    expect([session, errors]).toEqual([null, ["OAuthCallbackError"]]);
    expect(landed).toMatch(/\/auth\/signin\?error=OAuthCallbackError/);
  });

  it("logs no user in with a wrong secret or the code verifier of another log-in", async () => {
    for (const wrong of [{ clientSecret: "wrong" }, { mixUp: true }]) {
      const { landed, session, errors } = await logIn(wrong);
      expect([session, errors]).toEqual([null, ["CallbackRouteError"]]);
      expect(landed).toMatch(/\/auth\/error\?error=Configuration/);
    }
  });
});
