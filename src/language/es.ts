import { applications } from "./es/applications.ts";
import { dialogs } from "./es/dialogs.ts";
import { frame } from "./es/frame.ts";
import { login } from "./es/login.ts";
import { pages } from "./es/pages.ts";
import { registration } from "./es/registration.ts";
import type { Catalogue } from "./languages.ts";

/** Spanish, of a file for each area of pages. */
export const es: Catalogue = { ...frame, ...registration, ...applications, ...dialogs, ...login, ...pages };
