/** The address of a place's own website, as it is compared: host without "www.", path without query and fragment. */
export interface Website {
  host: string;
  /** Empty for the front page. */
  path: string;
}

/** Parses a website's address. Returns undefined for sites that many places share, such as facebook.com. */
export function readWebsite(url: string): Website | undefined {
  const [, host, path = ""] = PARTS.exec(url.toLowerCase()) ?? [];
  return host && !SHARED_SITES.test(host) ? { host, path } : undefined;
}

const PARTS = /^\s*(?:https?:\/\/)?(?:www\.)?([^/:?#\s]+)(?::\d+)?\/*([^?#\s]*?)\/*(?:[?#\s]|$)/;

const SHARED_SITES = /facebook|instagram|yelp|twitter|tripadvisor|google|wix|foursquare|business\.site/;
