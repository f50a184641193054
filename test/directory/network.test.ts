import { expect, test } from "vitest";
import { network } from "../../src/directory/network.ts";

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
])("%s is of the network %s", (address, expected) => expect(network(address)).toBe(expected));
