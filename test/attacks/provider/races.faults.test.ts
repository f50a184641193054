import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { rotateSecret } from "../../../src/directory/applications/secrets.ts";
import { issueCode } from "../../../src/directory/auth/client/token-endpoint.ts";
import { exchange } from "../../directory/auth/auth-host.ts";
import { roundsOf } from "../../support/rounds.ts";
import { CALLBACK, type Instance, runningDirectory } from "../running-directory.ts";

const ROUNDS = roundsOf(1000, 50);

const directory = await runningDirectory({ instances: 2 });

type Client = { clientId: string; clientSecret: string };

async function newCode({ clientId }: Client, userId: string): Promise<string> {
  return issueCode(directory.deps, { clientId, userId, redirectUri: CALLBACK, codeChallenge: null });
}

/** Returns status and error of an exchange. */
async function exchangeOn(on: Instance, client: Client, code: string): Promise<string> {
  const { status, body } = await exchange({ url: on.auth }, client, code);
  return `${status} ${body.access_token ? "token" : body.error}`;
}

describe.concurrent("concurrent code exchanges", () => {
  it(`B10: succeed for exactly one of sixteen with the same code on two instances, in each of ${ROUNDS} rounds`, async () => {
    const application = await directory.application();
    const user = await directory.user();
    await directory.token({ userId: user.id, clientId: application.clientId });
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = await newCode(application, user.id);
      const calls = Array.from({ length: 16 }, (_, index) =>
        exchangeOn(directory.instances[index % 2] ?? directory, application, code),
      );
      const answers = await Promise.all(calls);
      expect(answers.filter((answer) => answer === "200 token")).toHaveLength(1);
      expect(answers.filter((answer) => answer === "400 invalid_grant")).toHaveLength(15);
    }
  });

  it("B37: succeed with every live secret during twenty rotations, at twenty exchanges a second", async () => {
    const { clientId, clientSecret } = await directory.application();
    const user = await directory.user();
    await directory.token({ userId: user.id, clientId });
    const answers: Promise<string>[] = [];
    const send = async (secret: string) => {
      const code = await newCode({ clientId, clientSecret }, user.id);
      const on = directory.instances[answers.length % 2] ?? directory;
      answers.push(exchangeOn(on, { clientId, clientSecret: secret }, code));
      await sleep(50);
    };
    let newest = clientSecret;
    for (let rotation = 0; rotation < 20; rotation += 1) {
      await send(newest);
      const older = newest; // on their way while the secret changes, and good before and after
      newest = (await rotateSecret(directory.deps, clientId, { overlapHours: 24 })).clientSecret;
      for (const secret of [newest, older, newest, older, newest]) await send(secret);
      await Promise.all(answers); // the next rotation ends the older secret
    }
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["200 token"]));
    expect(answers.length).toBe(120);
  });
});
