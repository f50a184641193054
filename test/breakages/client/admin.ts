import type { Breakage } from "../breakage.ts";

const ROLES = "test/attacks/pages/admin-roles.test.ts";

/** Admin pages: A17 and W08. */
export const adminBreakages: Breakage[] = [
  {
    id: "A17",
    breaks: "the session of a disabled account still works as a member's",
    file: "src/web/base/members.ts",
    find: 'return row.disabled_at ? "disabled" : toMember(web, row);',
    replace: "return toMember(web, row);",
    test: ROLES,
  },
  {
    id: "A17",
    breaks: "the sessions of a disabled account are not ended",
    file: "src/web/admin/people-rows.ts",
    find: '{ disabledAt: new Date() } });\n  });\n  await endSessionsOf(web.pool, "app", order.id);',
    replace: "{ disabledAt: new Date() } });\n  });",
    test: ROLES,
  },
  {
    id: "A17",
    breaks: "an admin whose role is removed keeps it",
    file: "src/web/admin/people-rows.ts",
    find: 'data: { role: "member" }',
    replace: "data: {}",
    test: ROLES,
  },
  {
    id: "A17",
    breaks: "two admins can remove each other's role at once",
    file: "src/web/admin/people-rows.ts",
    find: "    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCKS.admins})`;\n",
    replace: "",
    test: ROLES,
  },
  {
    id: "W08",
    breaks: "every member counts as an admin",
    file: "src/web/base/admins.ts",
    find: "    if (!member.isAdmin) throw notFound();\n",
    replace: "",
    test: ROLES,
  },
  {
    id: "W08",
    breaks: "an admin's actions need no confirmation",
    file: "src/web/base/admins.ts",
    find: "if (isConfirmed(request)) return handler",
    replace: "if (member.isAdmin) return handler",
    test: ROLES,
  },
  {
    id: "W08",
    breaks: "an admin can disable an account without a confirmation",
    file: "src/web/routes.ts",
    find: 'post("/admin/people/:id/disable", confirmedAdmins,',
    replace: 'post("/admin/people/:id/disable", admins,',
    test: "test/docs.test.ts",
  },
  {
    id: "W08",
    breaks: "invalid ids of people are not rejected",
    file: "src/web/admin/people.ts",
    find: "  if (!id) throw notFound();\n",
    replace: "",
    test: ROLES,
  },
];
