import type { Browser } from "playwright-core";
import { type Visitor, walk } from "../flows/walk.ts";
import { openPage } from "../support/browser.ts";

interface Walk {
  wasMarked: boolean;
  problem?: string;
}

/** Walks through the web app in a browser again and again, until `stop` is called. */
export function startWalks(browser: Browser, site: Visitor["site"] & { demo: Visitor["account"] }) {
  const all: Walk[] = [];
  let isOver = false;
  const walkOn = async () => {
    while (!isOver) {
      const current: Walk = { wasMarked: false };
      all.push(current);
      const page = await openPage(browser, {});
      await walk({ page, site, account: site.demo, look: async () => {} }).catch((error: Error) => {
        current.problem = error.message.slice(0, 300);
      });
      await page.context().close();
    }
  };
  const walking = walkOn();
  return {
    markCurrent(): void {
      const current = all.at(-1);
      if (current) current.wasMarked = true;
    },
    async stop() {
      isOver = true;
      await walking;
      const broken = all.filter(({ problem }) => problem !== undefined);
      return {
        ...{ walks: all.length - broken.length, brokenWalks: broken.map(({ problem }) => problem) },
        brokenElsewhere: broken.filter(({ wasMarked }) => !wasMarked).map(({ problem }) => problem),
      };
    },
  };
}
