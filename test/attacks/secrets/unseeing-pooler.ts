import { once } from "node:events";
import net from "node:net";

/** A proxy that drops `options` of each startup packet, like PgBouncer with ignore_startup_parameters. */
export async function startUnseeingPooler(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port || 5432), hostname);
    for (const socket of [client, upstream]) sockets.add(socket.on("error", () => {}));
    client.once("data", (packet) => {
      upstream.write(withoutOptions(packet));
      client.pipe(upstream).pipe(client);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = new URL(target);
  address.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: address.href, close };
}

// Length and version have four bytes each; then names and values, each ended by a zero, then a zero.
function withoutOptions(packet: Buffer): Buffer {
  const texts = packet.toString("utf8", 8).split("\0");
  const at = texts.indexOf("options");
  if (at >= 0) texts.splice(at, 2);
  const rest = Buffer.from(texts.join("\0"));
  const head = Buffer.from(packet.subarray(0, 8));
  head.writeInt32BE(8 + rest.length);
  return Buffer.concat([head, rest]);
}
