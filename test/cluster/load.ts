import { Agent, request } from "node:http";
import { setTimeout as after } from "node:timers/promises";

const EVERY_MS = 25;

/** Sends requests at a steady rate over open connections and repeats none, until the returned function is called. */
export function startLoad(urls: string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 40 });
  const failed: { at: number; what: string }[] = [];
  const open = new Set<Promise<void>>();
  let [sent, isOver] = [0, false];
  const ask = (url: string): Promise<void> =>
    new Promise((resolve) => {
      const at = performance.now();
      const fail = (what: string) => {
        failed.push({ at, what: `${new URL(url).pathname} ${what}` });
        resolve();
      };
      request(url, { agent }, (answer) => {
        answer.on("error", (error) => fail(error.message));
        answer.resume().on("end", () => (Number(answer.statusCode) < 500 ? resolve() : fail(`${answer.statusCode}`)));
      })
        .on("error", (error) => fail(error.message))
        .end();
    });
  const send = async () => {
    while (!isOver) {
      const asked = ask(urls[sent++ % urls.length] ?? "");
      open.add(asked);
      void asked.then(() => open.delete(asked));
      await after(EVERY_MS);
    }
    await Promise.all(open);
    agent.destroy();
  };
  const sending = send();
  return {
    inFlight: () => open.size,
    async stop() {
      isOver = true;
      await sending;
      return { sent, failed };
    },
  };
}
