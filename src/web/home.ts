import type { FastifyReply, FastifyRequest } from "fastify";
import { hasExample } from "../harmonize/file/example.ts";
import { listHarmonizations } from "../harmonize/run/harmonizations.ts";
import { textField } from "../http/pages/forms.ts";
import type { Notice } from "../http/pages/parts.ts";
import { sendView } from "../http/pages/views.ts";
import { t } from "../language/translate.ts";
import type { Web } from "./base/deps.ts";
import { connected, type Member, type Visit } from "./base/members.ts";
import { demoNote, problemOf, sendPage } from "./base/page.ts";
import { checkinDays, creditsOfDays, rowOf } from "./checkins/page.ts";
import { runViews } from "./harmonize/run-views.ts";
import { placeOfVenue, writePlace } from "./venues/place.ts";

export async function showHome(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (request.session.owner) return connected(web, showMemberHome)(request, reply);
  const notice = textField(request.query, "loggedout") ? loggedOut(web) : undefined;
  return sendView(reply, "home/guest", { title: t("Is it the same place?"), notice, hasExample: hasExample() });
}

async function showMemberHome(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const [{ status, ...latest }, runs, demo] = await Promise.all([
    latestCheckins(web, request, visit),
    runsInProgress(web, visit.member),
    demoNote(web, visit.member),
  ]);
  const files = { runs, hasExample: hasExample() };
  return sendPage(reply.code(status), visit.member, "home/member", { title: t("Home"), demo, ...files, ...latest });
}

const NEWEST = 10;
const MOST_SHOWN = 3;

/** Own files that wait for the member or for a worker, newest first. */
async function runsInProgress(web: Web, member: Member) {
  const views = await runViews(web, member, await listHarmonizations(web.harmonizer, member, { most: NEWEST }));
  return views
    .filter(({ isOwn, isDraft, isAtWork, toReview }) => isOwn && (isDraft || isAtWork || toReview))
    .slice(0, MOST_SHOWN);
}

/** The directory has its own session, which would log the next person in without asking. */
const loggedOut = ({ config }: Web): Notice => ({
  kind: "info",
  heading: t("You are logged out."),
  message: t(
    "The next log-in in this browser asks for your password. You may still be logged in at the directory: log out there too.",
  ),
  link: { href: `${config.auth.url}/settings`, label: t("Your settings at the directory") },
});

/** Returns the last few check-ins, and where a search would start. */
async function latestCheckins(web: Web, request: FastifyRequest, { auth }: Visit) {
  const { place } = request.session;
  try {
    const { items } = await web.directory.checkins(auth, { limit: 5, offset: 0 });
    const start = writePlace(place ?? placeOfVenue(items[0]?.venue));
    const days = checkinDays(items.map(rowOf));
    return { status: 200, days, credits: creditsOfDays(days), start, notice: undefined };
  } catch (error) {
    const { status, notice } = problemOf(error);
    return { status, days: [], credits: undefined, start: writePlace(place), notice };
  }
}
