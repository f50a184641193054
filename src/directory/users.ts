import { z } from "zod";
import { text } from "../contract/parameters.ts";
import { randomId } from "../crypto.ts";
import { Prisma, type User } from "../db/generated/client.ts";
import { KnownError } from "../errors.ts";
import { hashPassword, needsRehash, nobodysHash, verifyPassword } from "./passwords.ts";
import type { DirectoryDeps } from "./tokens.ts";

type Deps = Pick<DirectoryDeps, "prisma">;

/** Longest password looked at: beyond it only time would be lost. */
const PASSWORD_MAX = 200;

const handleShape = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9._-]{2,30}$/, "handle needs 2 to 30 letters, digits, dots, dashes or underscores");

const newUser = z.object({
  handle: handleShape,
  firstName: text("firstName", 100).optional(),
  lastName: text("lastName", 100).optional(),
  email: z.email("email must be an e-mail address").max(254).optional(),
  password: z
    .string()
    .min(8, "password needs at least 8 characters")
    .max(PASSWORD_MAX, `password may have at most ${PASSWORD_MAX} characters`),
});
export type NewUser = z.input<typeof newUser>;

/**
 * Registers a person. The handle is kept in lower case.
 *
 * @throws KnownError 400 param_error naming every wrong field, 409 when the handle is taken
 */
export async function addUser({ prisma }: Deps, input: NewUser): Promise<User> {
  const parsed = newUser.safeParse(input);
  if (!parsed.success)
    throw new KnownError(400, "param_error", `${parsed.error.issues.map((issue) => issue.message).join("; ")}.`);
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
      throw new KnownError(409, "param_error", `The handle ${handle} is taken: choose another.`);
    throw error;
  }
}

/** The user of this handle (any case), disabled or not. */
export async function findUser({ prisma }: Deps, handle: string): Promise<User | null> {
  const parsed = handleShape.safeParse(handle);
  return parsed.success ? prisma.user.findUnique({ where: { handle: parsed.data } }) : null;
}

/**
 * The user whose handle and password these are; undefined for a wrong one, an unknown handle and a disabled user alike,
 * after the same work (attacks B19).
 */
export async function checkPassword(deps: Deps, handle: string, password: string): Promise<User | undefined> {
  const user = await findUser(deps, handle);
  const right = await verifyPassword(password.slice(0, PASSWORD_MAX + 1), user?.passwordHash ?? nobodysHash);
  if (!user || !right || user.disabledAt) return undefined;
  if (needsRehash(user.passwordHash))
    await deps.prisma.user.update({ where: { id: user.id }, data: { passwordHash: await hashPassword(password) } });
  return user;
}
