import "./known-hosts.ts";
import { json } from "node:stream/consumers";
import { Auth } from "@auth/core";
import foursquare from "@auth/core/providers/foursquare";
import { logInAndDecide } from "./person.ts";

export interface Input {
  clientId: string;
  clientSecret: string;
  person: { handle: string; password: string };
  decision: "allow" | "deny";
  /** Replaces the site's cookies of the log-in (state, code verifier) with those of another log-in. */
  mixUp?: boolean;
}

export interface Outcome {
  /** Parameters of the address that the person was sent to. */
  asked: Record<string, string>;
  /** Target of the redirect after the callback. */
  landed: string;
  /** Body of `GET /auth/session`. */
  session: { user?: { name?: string; email?: string; image?: string } } | null;
  errors: string[];
}

const SITE = "https://site.example";
const { clientId, clientSecret, person, decision, mixUp } = (await json(process.stdin)) as Input;
const errors: string[] = [];
let cookies = new Map<string, string>();

/** Calls the site with its browser's cookies. */
async function site(path: string, form?: Record<string, string>): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const init = form ? { method: "POST", body: new URLSearchParams(form) } : {};
  const answer = await Auth(new Request(new URL(path, SITE), { ...init, headers: { cookie } }), {
    providers: [foursquare({ clientId, clientSecret })],
    secret: "of the test's own",
    trustHost: true,
    basePath: "/auth",
    logger: { error: (error: Error) => errors.push(error.name), warn: () => {}, debug: () => {} },
  });
  for (const line of answer.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
  return answer;
}

/** Presses the site's log-in button, and returns the address that it leads to. */
async function pressLogIn(): Promise<string> {
  const { csrfToken } = (await (await site("/auth/csrf")).json()) as { csrfToken: string };
  const sent = await site("/auth/signin/foursquare", { csrfToken });
  return sent.headers.get("location") ?? "";
}

const address = await pressLogIn();
const callback = await logInAndDecide(address, person, decision);
if (mixUp) {
  cookies = new Map();
  await pressLogIn();
}
const landed = (await site(callback)).headers.get("location") ?? "";
const outcome: Outcome = {
  asked: Object.fromEntries(new URL(address).searchParams),
  landed,
  session: (await (await site("/auth/session")).json()) as Outcome["session"],
  errors,
};
process.stdout.write(JSON.stringify(outcome));
