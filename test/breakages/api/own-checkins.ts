import type { Breakage } from "../breakage.ts";

const test = "test/directory/api/corrections/own-checkins.test.ts";

/** C76: check-ins that are edited and deleted. */
export const ownCheckinBreakages: Breakage[] = [
  {
    id: "C76",
    breaks: "a user may change everybody's check-ins",
    file: "src/directory/corrections/own-checkins.ts",
    find: "where: { id, userId: by.userId } });",
    replace: "where: { id } });",
    test,
  },
  {
    id: "C76",
    breaks: "an application may delete check-ins of others",
    file: "src/directory/corrections/own-checkins.ts",
    find: "clientId === null || clientId === by.clientId",
    replace: "clientId === null || by.clientId !== ''",
    test,
  },
  {
    id: "C76",
    breaks: "two deletions of a user at once leave the user among those who visited the venue",
    file: "src/directory/checkins.ts",
    find: "WHERE ${isAt(venue)} FOR UPDATE",
    replace: "WHERE ${isAt(venue)}",
    test,
  },
  {
    id: "C76",
    breaks: "a key stands for an edit whatever it says",
    file: "src/directory/corrections/own-checkins.ts",
    find: 'call: ["checkins/edit", { id, shout }]',
    replace: 'call: ["checkins/edit", {}]',
    test,
  },
];
