export const ALIVE = { status: "alive" };

export async function readiness(ready: () => Promise<string[]>) {
  const problems = await ready().catch(() => ["database does not answer"]);
  const isReady = problems.length === 0;
  return { status: isReady ? 200 : 503, body: { status: isReady ? "ready" : "not ready", problems } };
}
