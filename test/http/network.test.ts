import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { clientNetwork } from "../../src/http/network.ts";

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["::FFFF:CB00:7109", "203.0.113.9"],
  ["::1", "0:0:0:0"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["2001:0DB8:0000:0000:0000:0000:0000:0001", "2001:db8:0:0"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8:1:2::", "2001:db8:1:2"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["203.0.113.9:4711", "203.0.113.9"],
  [" 203.0.113.9 ", "203.0.113.9"],
  ["[2001:db8::1]:4711", "2001:db8:0:0"],
  ["[2001:db8::1]", "2001:db8:0:0"],
  ["unknown", "10.0.0.7"],
  ["_made-up-7", "10.0.0.7"],
  ["203.0.113.9:4711:1", "10.0.0.7"],
  ["", "10.0.0.7"],
])("a request from %j belongs to the network %s", (ip, expected) => {
  expect(clientNetwork({ ip, socket: { remoteAddress: "10.0.0.7" } as Socket })).toBe(expected);
});

test("F41: a request whose client has gone has no network, and counting it is no error", () => {
  expect(clientNetwork({ ip: undefined, socket: {} as Socket })).toBe("");
});
