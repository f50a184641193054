import { once } from "node:events";
import net from "node:net";

/**
 * A proxy to PostgreSQL that can freeze and break its connections. `delayMs` is the time of each way. After `answers` packets of the
 * server it freezes by itself.
 */
export async function startDatabaseProxy(target: string, { delayMs = 0, answers = Number.POSITIVE_INFINITY } = {}) {
  const { hostname, port } = new URL(target);
  const pairs = new Set<[net.Socket, net.Socket]>();
  let frozen = false;
  let refusing = false;
  let left = answers;
  const server = net.createServer((client) => {
    if (refusing) return void client.destroy();
    const upstream = net.connect(Number(port || 5432), hostname);
    const pair: [net.Socket, net.Socket] = [client, upstream];
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on("data", (chunk) => (delayMs ? setTimeout(() => to.write(chunk), delayMs) : to.write(chunk)));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        to.destroy();
        pairs.delete(pair);
      });
      if (frozen) from.pause();
    }
    upstream.on("data", () => --left === 0 && freeze());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = new URL(target);
  address.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  const each = (act: (socket: net.Socket) => void) => {
    for (const pair of pairs) pair.forEach(act);
  };
  const freeze = () => {
    frozen = true;
    each((socket) => socket.pause());
  };
  const thaw = () => {
    frozen = false;
    refusing = false;
    each((socket) => socket.resume());
  };
  const cut = () => {
    thaw();
    each((socket) => socket.destroy());
  };
  /** Until thaw(). */
  const refuse = () => {
    cut();
    refusing = true;
  };
  const close = () => {
    cut();
    server.close();
  };
  return { url: address.href, freeze, thaw, cut, refuse, close };
}
