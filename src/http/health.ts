export const ALIVE = { status: "alive" };

/** `about` is information beside the problems. */
export async function readiness(ready: () => Promise<string[]>, about: () => object = () => ({})) {
  const problems = await ready().catch(() => ["database does not answer"]);
  const isReady = problems.length === 0;
  return { status: isReady ? 200 : 503, body: { status: isReady ? "ready" : "not ready", problems, ...about() } };
}
