import { type MadeListing, makeCandidate } from "../../harmonize/rows.ts";
import { startWeb } from "../web-app.ts";

/** The account of the person who logged in last. */
export async function ownerOf({ database }: Awaited<ReturnType<typeof startWeb>>): Promise<string> {
  const account = await database.prisma.account.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  return account.id;
}

/** The web app with two logged-in people: Fay, who owns the files, and Gus. */
export async function startRuns(options?: Parameters<typeof startWeb>[0]) {
  const web = await startWeb(options);
  web.directory.signIn("Gus");
  const gus = await web.logIn();
  web.directory.signIn("Fay");
  const fay = await web.logIn();
  return { web, gus, fay, owner: await ownerOf(web) };
}

/** 120 listings: 71 matched (15 checked by people), 24 to review, 21 without a match, 4 failed. */
export function manyListings(): MadeListing[] {
  const times = (number: number, listing: (index: number) => MadeListing) =>
    Array.from({ length: number }, (_, at) => listing(at));
  const good = { phone: 3.2, distance: 1.4, name: 2.1, zip: -0.6 };
  const decidedAt = new Date("2026-03-04T08:41:00Z");
  return [
    ...times(56, (at) => ({
      name: `Sure Thing ${at}`,
      candidates: [makeCandidate(`sure-${at}`, 0.999 - (at % 30) / 250, good)],
      more: { isClear: true },
    })),
    ...times(14, (at) => ({
      name: `Judged ${at}`,
      candidates: [makeCandidate(`judged-${at}`, 0.85 + at / 100, good)],
      more: {
        ...({
          isClear: true,
          decision: "matched",
          venueId: at ? `judged-${at}` : "another",
          venueName: "The Venue",
        } as const),
        ...({ decidedHow: "person", decidedAt, why: { code: "evidence", said: ["same phone", "same name"] } } as const),
      },
    })),
    ...times(24, (at) => ({
      name: `Perhaps the Longest Name of a Listing ${at}`,
      candidates: [makeCandidate(`perhaps-${at}`, 0.25 + at / 40, { name: 1.1, distance: -2.2 })],
      more: { isClear: at % 2 === 0 && at < 20 },
    })),
    ...times(20, (at) => ({ name: `Unknown ${at}` })),
    {
      name: "Not the one",
      candidates: [makeCandidate("x", 0.7)],
      more: { decision: "rejected", decidedHow: "family", decidedAt },
    },
    { name: "Added", more: { decision: "added", venueId: "new", venueName: "Added", decidedHow: "many", decidedAt } },
    ...times(4, (at) => ({
      name: `Broken ${at}`,
      more: {
        status: "failed" as const,
        problem: { code: "position_out_of_range" as const, swapped: { lat: 181, lng: 41 } },
      },
    })),
  ];
}
