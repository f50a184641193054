// Imported before a client: its connections to these hosts go to the test's front instead (tls-front.ts). The host name,
// and with it the certificate that is asked for, stays what the client said.
import tls from "node:tls";

const HOSTS = ["foursquare.com", "api.foursquare.com"];
const port = Number(process.env.FRONT_PORT);
const connect = tls.connect as (options: tls.ConnectionOptions, ...rest: unknown[]) => tls.TLSSocket;

Object.assign(tls, {
  connect: (options: tls.ConnectionOptions, ...rest: unknown[]) => {
    const name = options.host ?? "";
    if (!HOSTS.includes(name)) throw new Error(`This test reaches ${HOSTS.join(" and ")} only, not ${name}.`);
    return connect({ ...options, host: "127.0.0.1", port, servername: name }, ...rest);
  },
});
