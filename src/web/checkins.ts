import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Checkin } from "../contract/checkins.ts";
import { wholeNumber } from "../contract/parameters.ts";
import { type Moment, moment } from "../http/pages/times.ts";
import { checkParameters } from "../http/parameters.ts";
import type { Web } from "./base/deps.ts";
import type { Visit } from "./base/members.ts";
import { sendPage, sendProblem } from "./base/page.ts";
import { count } from "./base/words.ts";
import { venueCard } from "./venues/view.ts";

const PAGE_SIZE = 20;
const query = z.object({ page: wholeNumber("page", 1, 50_000).default(1) });

const NO_SUCH_PAGE = {
  status: 400,
  heading: "There is no such page",
  message: "The pages of your check-ins are numbered from 1, the newest.",
  action: { href: "/checkins", label: "Newest check-ins" },
};

export async function showCheckins(web: Web, request: FastifyRequest, reply: FastifyReply, { member, auth }: Visit) {
  const { page } = checkParameters(query, request.query).value ?? {};
  if (!page) return sendProblem(reply, member, NO_SUCH_PAGE);
  const offset = (page - 1) * PAGE_SIZE;
  const { count: total, items } = await web.directory.checkins(auth, { limit: PAGE_SIZE, offset });
  const last = offset + items.length;
  return sendPage(reply, member, "checkins/index", {
    title: page > 1 ? `Check-ins, page ${page}` : "Check-ins",
    days: checkinDays(items),
    total: count(total, "check-in"),
    page,
    pager: {
      newer: page > 1 ? `/checkins?page=${page - 1}` : undefined,
      older: items.length && last < total ? `/checkins?page=${page + 1}` : undefined,
      status: items.length ? `${offset + 1}–${last} of ${total.toLocaleString("en")}` : undefined,
    },
  });
}

interface Row {
  venue: ReturnType<typeof venueCard> | undefined;
  shout: string | undefined;
  at: Moment | undefined;
}

export interface CheckinDay {
  at: Moment | undefined;
  rows: Row[];
}

export function checkinDays(checkins: Checkin[]): CheckinDay[] {
  const days: CheckinDay[] = [];
  for (const { createdAt, timeZoneOffset, venue, shout } of checkins) {
    const at = moment(createdAt, timeZoneOffset);
    const today = days.at(-1);
    const row = { venue: venue && venueCard(venue), shout, at };
    if (today && today.at?.date === at?.date) today.rows.push(row);
    else days.push({ at, rows: [row] });
  }
  return days;
}
