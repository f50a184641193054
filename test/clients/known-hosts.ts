// Import it before a client: redirects connections to these hosts to the test's front (tls-front.ts). The client still checks the
// certificate of the original name.
import tls from "node:tls";

const HOSTS = ["foursquare.com", "api.foursquare.com"];
const port = Number(process.env.FRONT_PORT);
const connect = tls.connect as (options: tls.ConnectionOptions, ...rest: unknown[]) => tls.TLSSocket;

Object.assign(tls, {
  connect: (options: tls.ConnectionOptions, ...rest: unknown[]) => {
    const name = options.host ?? "";
    if (!HOSTS.includes(name)) throw new Error(`This test may reach only ${HOSTS.join(" and ")}, not ${name}.`);
    return connect({ ...options, host: "127.0.0.1", port, servername: name }, ...rest);
  },
});
