import { z } from "zod";
import { text } from "../contract/text.ts";
import { Prisma, type User } from "../db/generated/client.ts";
import { endSessionsOf } from "../http/pages/sessions.ts";
import { t } from "../language/translate.ts";
import { randomId } from "../shared/crypto.ts";
import { badRequest, KnownError } from "../shared/errors.ts";
import type { DirectoryDeps } from "./deps.ts";
import { hashPassword, isAbout, isCommon, needsRehash, nobodysHash, type Person, verifyPassword } from "./passwords.ts";

type Deps = Pick<DirectoryDeps, "prisma">;

/** Longer input would only cost time. */
const PASSWORD_MAX = 200;

const handleShape = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9._-]{2,30}$/, {
    error: () => t("handle needs 2 to 30 letters, digits, dots, dashes or underscores"),
  });

const passwordShape = z
  .string()
  .min(8, { error: () => t("password needs at least 8 characters"), abort: true })
  .max(PASSWORD_MAX, {
    error: () => t("password may have at most {max} characters", { max: PASSWORD_MAX }),
    abort: true,
  })
  .refine((password) => !isCommon(password), { error: () => t("password is too common; choose another") });

const aboutYou = () => t("password must not be the username, the name or the e-mail address; choose another");

/** Handles that setup creates. Nobody may sign up with them, because they have special rights. */
export const DEMO_HANDLE = "demo";
export const OPERATOR_HANDLE = "samespot";

/** A handle must not look like an id, because settings name people by either. */
const newHandle = handleShape.regex(/^(?![0-9a-f]{24}$)/, {
  error: () => t("handle must not be 24 digits or letters from a to f, because it would look like an id"),
});

export const newUser = z
  .object({
    handle: newHandle,
    firstName: text("firstName", 100).optional(),
    lastName: text("lastName", 100).optional(),
    email: z
      .email({ error: () => t("email must be an e-mail address") })
      .max(254, { error: () => t("email may have at most 254 characters") })
      .optional(),
    password: passwordShape,
  })
  .refine((user) => !isAbout(user.password, user), { error: aboutYou, path: ["password"] });
type NewUser = z.input<typeof newUser>;

/** Throws KnownError 400 param_error that lists every invalid field, 409 if the handle is taken. */
export async function addUser({ prisma }: Deps, input: NewUser): Promise<User> {
  const parsed = newUser.safeParse(input);
  if (!parsed.success) throw badRequest(`${parsed.error.issues.map((issue) => issue.message).join("; ")}.`);
  const { handle, firstName, lastName, email, password } = parsed.data;
  const passwordHash = await hashPassword(password);
  try {
    return await prisma.user.create({
      data: {
        id: randomId(),
        handle,
        firstName: firstName || null,
        lastName: lastName || null,
        email: email ?? null,
        passwordHash,
      },
    });
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002")
      throw new KnownError(409, "param_error", t("The username {handle} is taken. Choose another.", { handle }));
    throw error;
  }
}

/** Includes disabled users. */
export async function findUser({ prisma }: Deps, handle: string): Promise<User | null> {
  const parsed = handleShape.safeParse(handle);
  return parsed.success ? prisma.user.findUnique({ where: { handle: parsed.data } }) : null;
}

/** By handle; each with the number of applications it owns, and without its password. */
export const listUsers = ({ prisma }: Deps) =>
  prisma.user.findMany({
    omit: { passwordHash: true },
    include: { _count: { select: { applications: true } } },
    orderBy: { handle: "asc" },
  });

/** Takes the same time for a wrong password, an unknown handle and a disabled user (attacks B19). */
export async function checkPassword(deps: Deps, handle: string, password: string): Promise<User | undefined> {
  const user = await findUser(deps, handle);
  const right = await verifyPassword(password.slice(0, PASSWORD_MAX + 1), user?.passwordHash ?? nobodysHash());
  if (!user || !right || user.disabledAt) return undefined;
  if (needsRehash(user.passwordHash))
    await deps.prisma.user.update({ where: { id: user.id }, data: { passwordHash: await hashPassword(password) } });
  return user;
}

/** The message begins with "password". */
export const passwordProblem = (password: string, person: Person): string | undefined =>
  passwordShape.safeParse(password).error?.issues[0]?.message ?? (isAbout(password, person) ? aboutYou() : undefined);

/** Of two concurrent changes only the first succeeds. Throws KnownError 400 for an unacceptable password. */
export async function changePassword(
  { prisma }: Deps,
  userId: string,
  { current, next }: { current: string; next: string },
): Promise<boolean> {
  const user = await prisma.user.findUnique({ where: { id: userId } });
  if (!user || user.disabledAt) return false;
  refuseBadPassword(next, user);
  if (!(await verifyPassword(current.slice(0, PASSWORD_MAX + 1), user.passwordHash))) return false;
  const { count } = await prisma.user.updateMany({
    where: { id: userId, passwordHash: user.passwordHash },
    data: { passwordHash: await hashPassword(next) },
  });
  return count === 1;
}

export async function setPassword(
  { prisma, pool }: Pick<DirectoryDeps, "prisma" | "pool">,
  id: string,
  password: string,
): Promise<void> {
  refuseBadPassword(password, await prisma.user.findUniqueOrThrow({ where: { id } }));
  await prisma.user.update({ where: { id }, data: { passwordHash: await hashPassword(password) } });
  await endSessionsOf(pool, "directory", id);
}

/** A disabled user cannot log in, and their tokens are rejected. Disabling ends their sessions for good. */
export async function setDisabled(
  { prisma, pool }: Pick<DirectoryDeps, "prisma" | "pool">,
  id: string,
  isDisabled: boolean,
): Promise<void> {
  await prisma.user.update({ where: { id }, data: { disabledAt: isDisabled ? new Date() : null } });
  if (isDisabled) await endSessionsOf(pool, "directory", id);
}

function refuseBadPassword(password: string, person: Person): void {
  const problem = passwordProblem(password, person);
  if (problem) throw badRequest(`${problem}.`);
}
