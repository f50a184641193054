import { Agent, request } from "node:http";
import { setTimeout as after } from "node:timers/promises";

const EVERY_MS = 25;

interface Sent {
  path: string;
  wasInFlight: boolean;
  problem?: string;
}

/** Sends requests at a steady rate over open connections and repeats none, until `stop` is called. */
export function startLoad(urls: string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 40 });
  const all: Sent[] = [];
  const open = new Map<Sent, Promise<void>>();
  let [isMarking, isOver] = [false, false];
  const send = (url = "") => {
    const sent: Sent = { path: new URL(url).pathname, wasInFlight: isMarking };
    all.push(sent);
    const asked = ask(agent, url).then((problem) => {
      if (problem !== undefined) sent.problem = problem;
      open.delete(sent);
    });
    open.set(sent, asked);
  };
  const sendOn = async () => {
    while (!isOver) {
      send(urls[all.length % urls.length]);
      await after(EVERY_MS);
    }
    await Promise.all(open.values());
    agent.destroy();
  };
  const sending = sendOn();
  return {
    /** Marks the requests that are in flight at some moment while `work` runs. */
    async markInFlight(work: () => Promise<void>): Promise<void> {
      isMarking = true;
      for (const sent of open.keys()) sent.wasInFlight = true;
      await work();
      isMarking = false;
    },
    async stop(): Promise<Sent[]> {
      isOver = true;
      await sending;
      return all;
    },
  };
}

/** Returns what is wrong with the answer. */
const ask = (agent: Agent, url: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    request(url, { agent }, (answer) => {
      answer.on("error", (error) => resolve(error.message));
      const { statusCode = 0 } = answer;
      answer.resume().on("end", () => resolve(statusCode < 500 ? undefined : `${statusCode}`));
    })
      .on("error", (error) => resolve(error.message))
      .end();
  });
