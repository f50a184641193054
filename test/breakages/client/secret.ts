import type { Breakage } from "../breakage.ts";

const ROTATION = "test/attacks/pages/admin-secrets.test.ts";
const PASTED = "test/attacks/pages/admin-pasted.test.ts";
const WAITING = "test/web/client-secret/waiting-secret.test.ts";
const SETTINGS = "test/web/client-secret/settings-secret.test.ts";
const KEEPER = "src/web/client-secret/keeper.ts";

/** The web app's own secret: W09 and W10. */
export const clientSecretBreakages: Breakage[] = [
  {
    id: "W09",
    breaks: "a confirmation never expires",
    file: "src/web/base/admins.ts",
    find: "return until > Date.now() ? new Date(until) : undefined;",
    replace: "return new Date(until);",
    test: ROTATION,
  },
  {
    id: "W09",
    breaks: "a new secret is activated without a test",
    file: "src/web/client-secret/rotate.ts",
    find: "  await tryCredentials(web, credentials).catch((error) => {\n",
    replace: "  await Promise.resolve().catch((error) => {\n",
    test: ROTATION,
  },
  {
    id: "W09",
    breaks: "a new secret is tested only at the API host",
    file: "src/web/client-secret/trial.ts",
    find: 'if (!(error instanceof DirectoryError && error.kind === "rejected")) throw explained(error, "log-in");',
    replace: "if (!(error instanceof DirectoryError)) throw error;",
    test: PASTED,
  },
  {
    id: "W09",
    breaks: "an error message repeats the pasted secret",
    file: "src/web/client-secret/rotate.ts",
    find: "what you pasted was not stored.",
    replace: "what you pasted, ${clientSecret}, was not kept.",
    test: PASTED,
  },
  {
    id: "W09",
    breaks: "a pasted secret is stored before it is tested",
    file: "src/web/client-secret/rotate.ts",
    find: "    await tryCredentials(web, { clientId, clientSecret }).catch((error) => {\n",
    replace:
      '    await addCredential(web.prisma, web.vault, { directory, clientId, clientSecret, origin: "pasted", accountId });\n    await tryCredentials(web, { clientId, clientSecret }).catch((error) => {\n',
    test: PASTED,
  },
  {
    id: "W09",
    breaks: "an instance caches the secret for five seconds",
    file: "src/web/create-web.ts",
    find: "const credentials = () => currentCredentials({ config, pool, vault });",
    replace:
      "let kept: { at: number; value: ReturnType<typeof currentCredentials> } | undefined;\n  const credentials = () => {\n    if (!kept || Date.now() - kept.at > 5000) kept = { at: Date.now(), value: currentCredentials({ config, pool, vault }) };\n    return kept.value;\n  };",
    test: "test/attacks/pages/admin-rotation.faults.test.ts",
  },
  {
    id: "W09",
    breaks: "two admins can rotate the secret at once",
    file: "src/web/client-secret/alone.ts",
    find: "return rows[0].taken ? { result: await work() } : undefined;",
    replace: "return rows[0] ? { result: await work() } : undefined;",
    test: ROTATION,
  },
  {
    id: "W09",
    breaks: "a page from before another rotation can rotate again",
    file: "src/web/client-secret/rotate.ts",
    find: "    if (inUseMark(inUse) !== order.ifInUse) throw changedMeanwhile();\n",
    replace: "",
    test: ROTATION,
  },
  {
    id: "W09",
    breaks: "an old secret that was ended stays stored",
    file: "src/web/client-secret/rows.ts",
    find: "SET ended_at = least(clock_timestamp(), expires_at), secret = NULL",
    replace: "SET ended_at = least(clock_timestamp(), expires_at)",
    test: ROTATION,
  },
  {
    id: "W09",
    breaks: "a new secret is activated before it is tested",
    file: "src/web/client-secret/rotate.ts",
    find: "    await tryAndSwitchOn(web, { id, clientId, clientSecret });\n  });\n\nexport const switchOnWaiting",
    replace:
      "    await web.prisma.$transaction((tx) => switchOn(tx, directory, id));\n    await tryAndSwitchOn(web, { id, clientId, clientSecret });\n  });\n\nexport const switchOnWaiting",
    test: ROTATION,
  },
  {
    id: "W09",
    breaks: "a second rotation can begin while a new secret is waiting",
    file: "src/web/client-secret/rotate.ts",
    find: "    if (await findWaiting(web))\n",
    replace: "    if (!inUse.clientSecret)\n",
    test: ROTATION,
  },
  {
    id: "W09",
    breaks: "after a lost response nothing records that the secret in use may end",
    file: "src/web/client-secret/rotate.ts",
    find: "const until = await limitInUse(web.prisma, where, { ...overlap, isSure: false });",
    replace: "const until = new Date(Date.now() + overlap.overlapSeconds * 1000);",
    test: ROTATION,
  },
  {
    id: "W09",
    breaks: "a waiting secret is not retried",
    file: KEEPER,
    find: "createWaitingRetry(web, log), ",
    replace: "",
    test: WAITING,
  },
  {
    id: "W09",
    breaks: "a dead stored secret is used although CLIENT_SECRET works",
    file: KEEPER,
    find: "createSettingsCheck(web, log), ",
    replace: "",
    test: SETTINGS,
  },
  {
    id: "W09",
    breaks: "CLIENT_SECRET replaces a stored secret that works",
    file: "src/web/client-secret/settings.ts",
    find: "  if (isStoredGood) {\n",
    replace: "  if (isStoredGood && stored.id === undefined) {\n",
    test: SETTINGS,
  },
  {
    id: "W09",
    breaks: "a secret with a promised end is ended as soon as it is unused",
    file: "src/web/client-secret/end-old.ts",
    find: "if (!old?.endsEarly || ",
    replace: "if (!old || ",
    test: "test/web/client-secret/old-secret.test.ts",
  },
  {
    id: "W09",
    breaks: "a connection of the pages' pool is held during calls to the directory",
    file: "src/web/client-secret/alone.ts",
    find: "  const lock = await connect({\n",
    replace:
      "  const held = await (deps.harmonizer as Harmonizer).pool.connect();\n  setTimeout(() => held.release(), 300);\n  const lock = await connect({\n",
    test: ROTATION,
  },
  {
    id: "W10",
    breaks: "nobody is told that the directory refuses the secret",
    file: "src/web/client-secret/page.ts",
    find: 'const isRefused = error instanceof DirectoryError && error.kind === "refused_client";',
    replace: "const isRefused = false;",
    test: PASTED,
  },
  {
    id: "W10",
    breaks: "a refused secret is treated as a refused token",
    file: "src/directory-client/calls/answers.ts",
    find: '"token" in auth ? "refused_token" : "refused_client"',
    replace: '"refused_token"',
    test: PASTED,
  },
];
