import type { Breakage } from "../breakage.ts";

/** Check-ins in the web app: W08, W25, W28, S12. */
export const clientCheckinBreakages: Breakage[] = [
  {
    id: "W08",
    breaks: "a member sees everybody's check-ins",
    file: "src/checkins/filter.ts",
    find: "WHERE account_id = $1\n",
    replace: "WHERE $1::uuid IS NOT NULL\n",
    test: "test/web/checkins/page.test.ts",
  },
  {
    id: "W25",
    breaks: "a check-in form that is sent again checks in again",
    file: "src/checkins/add-once.ts",
    find: "ON CONFLICT DO NOTHING",
    replace: "ON CONFLICT (account_id, key) DO UPDATE SET created_at = now()",
    test: "test/web/checkins/add.test.ts",
  },
  {
    id: "W25",
    breaks: "a check-in without a known result is repeated",
    file: "src/checkins/add-once.ts",
    find: "if (isUndone(error)) await",
    replace: "await",
    test: "test/web/checkins/add.test.ts",
  },
  {
    id: "W28",
    breaks: "a copying that has read a check-in before it was changed writes it back",
    file: "src/checkins/change.ts",
    find: "SET holder = NULL, held_until = NULL${more}",
    replace: "SET held_until = held_until${more}",
    test: "test/web/checkins/correct.test.ts",
  },
  {
    id: "W28",
    breaks: "a member may change what another member's copy has",
    file: "src/checkins/read.ts",
    find: "WHERE account_id = $1 AND id = $2`",
    replace: "WHERE $1::uuid IS NOT NULL AND id = $2`",
    test: "test/web/checkins/correct.test.ts",
  },
  {
    id: "S12",
    breaks: "the copy of the check-ins outlives the connection",
    file: "src/web/base/connections.ts",
    find: "  await prisma.checkinCopy.deleteMany({ where: { accountId } });\n",
    replace: "",
    test: "test/web/checkins/copy.test.ts",
  },
];
