export const ALIVE = { status: "alive" };

/** 503 also once `stopping` is aborted, so that proxies send no more requests. */
export async function readiness(ready: () => Promise<string[]>, stopping?: AbortSignal) {
  if (stopping?.aborted) return { status: 503, body: { status: "stopping", problems: [] } };
  const problems = await ready().catch(() => ["database does not answer"]);
  const isReady = problems.length === 0;
  return { status: isReady ? 200 : 503, body: { status: isReady ? "ready" : "not ready", problems } };
}
