/** The address of a page of a place's own, as it is compared: host without "www.", path without what counts visits. */
export interface Website {
  host: string;
  /** Empty for the front page. */
  path: string;
}

/** Reads a website's address; undefined for pages at a site that many places share, such as facebook.com. */
export function readWebsite(url: string): Website | undefined {
  const [, host, path = ""] = PARTS.exec(url.toLowerCase()) ?? [];
  return host && !SHARED_SITES.test(host) ? { host, path } : undefined;
}

const PARTS = /^\s*(?:https?:\/\/)?(?:www\.)?([^/:?#\s]+)(?::\d+)?\/*([^?#\s]*?)\/*(?:[?#\s]|$)/;

const SHARED_SITES = /facebook|instagram|yelp|twitter|tripadvisor|google|wix|foursquare|business\.site/;
