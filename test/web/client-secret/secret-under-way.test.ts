import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { usual } from "../../support/fake-directory/behaviours.ts";
import { secretKeeper } from "./secret-keeper.ts";

// Longer than any wait here, so that the rotation is in progress until its answer is cut off.
const { directory, newKeeper, rotate, database } = await secretKeeper({ deadlineMs: 15_000 });
const waits = () => database.prisma.clientCredential.count({ where: { switchedOnAt: null, endedAt: null } });

test("W09: the retry leaves a waiting secret alone while its rotation is in progress", async () => {
  const held: ServerResponse[] = [];
  directory.behave("/oauth2/access_token", ({ response }) => held.push(response));
  const rotating = rotate().catch(() => "failed");
  await expect.poll(() => held.length).toBe(1);
  expect(await waits()).toBe(1);
  directory.behave("/oauth2/access_token", usual);
  const asked = directory.requests.length;
  await newKeeper()();
  expect([await waits(), directory.requests.length]).toEqual([1, asked]);
  directory.behave("/oauth2/access_token", ({ response }) => response.destroy());
  for (const response of held) response.destroy();
  expect(await rotating).toBe("failed");
});
