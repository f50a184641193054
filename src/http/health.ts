export const ALIVE = { status: "alive" };

interface Ready {
  ready: () => Promise<string[]>;
  /** Once it is aborted, the answer is 503, so that proxies send no more requests. */
  stopping?: AbortSignal | undefined;
  /** Information beside the problems. */
  about?: (() => object | Promise<object>) | undefined;
}

export async function readiness({ ready, stopping, about }: Ready) {
  if (stopping?.aborted) return { status: 503, body: { status: "stopping", problems: [] } };
  const problems = await ready().catch(() => ["database does not answer"]);
  const isReady = problems.length === 0;
  const more = await Promise.resolve(about?.()).catch(() => ({}));
  return { status: isReady ? 200 : 503, body: { status: isReady ? "ready" : "not ready", problems, ...more } };
}
