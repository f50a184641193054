import { once } from "node:events";
import net from "node:net";

/** When PostgreSQL ends a connection: in the packet of a response, instead of it, or a moment later. */
export const ENDS = ["with the answer", "instead of the answer", "after the answer"] as const;
export type End = (typeof ENDS)[number];

/** Milliseconds after a response; the client may or may not have sent its next query. */
const AFTER_MS = 3;

/**
 * A proxy to PostgreSQL that ends a connection once like an administrator's command, at a moment counted in responses
 * (ReadyForQuery or CopyInResponse).
 */
export async function startEndingDatabase(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let due: { left: number; how: End } | undefined;
  let over: Promise<unknown> = Promise.resolve();
  const isDue = () => due !== undefined && --due.left === 0;

  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port || 5432), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    client.pipe(upstream);
    upstream.on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
    const end = (last: Buffer[]) => {
      upstream.removeAllListeners("data").removeAllListeners("close").destroy();
      client.end(Buffer.concat(last));
    };
    let rest: Buffer = Buffer.alloc(0);
    upstream.on("data", (chunk: Buffer) => {
      const { messages, left } = split(Buffer.concat([rest, chunk]));
      rest = left;
      const at = messages.findIndex((message) => ANSWERS.includes(message[0] ?? 0) && isDue());
      if (at < 0) return void (messages.length > 0 && client.write(Buffer.concat(messages)));
      const how = due?.how;
      due = undefined;
      over = once(client, "close");
      if (how === "instead of the answer") return end([FATAL]);
      if (how === "with the answer") return end([...messages.slice(0, at + 1), FATAL]);
      client.write(Buffer.concat(messages.slice(0, at + 1)));
      setTimeout(() => end([FATAL]), AFTER_MS);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  return {
    url: url.href,
    /** Ends the connection that gets this response, counted over all connections from 1. */
    endAt(answer: number, how: End): void {
      due = { left: answer, how };
    },
    /** Waits for the end, and returns whether it happened. Cancels it otherwise. */
    async hasEnded(): Promise<boolean> {
      const isOver = due === undefined;
      due = undefined;
      await over;
      return isOver;
    },
    close(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const ANSWERS = [..."ZG"].map((letter) => letter.charCodeAt(0));

/** Splits the server's messages; `left` is the beginning of an incomplete one. */
function split(bytes: Buffer): { messages: Buffer[]; left: Buffer } {
  const messages: Buffer[] = [];
  let from = 0;
  while (bytes.length >= from + 5 && bytes.length > from + bytes.readUInt32BE(from + 1)) {
    const to = from + 1 + bytes.readUInt32BE(from + 1);
    messages.push(bytes.subarray(from, to));
    from = to;
  }
  return { messages, left: bytes.subarray(from) };
}

const FATAL = (() => {
  const message = "terminating connection due to administrator command";
  const fields = Buffer.from(`${["SFATAL", "VFATAL", "C57P01", `M${message}`].join("\0")}\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
})();
