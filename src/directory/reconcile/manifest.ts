import { LARGEST_BATCH } from "../../contract/reconcile/queries.ts";
import { defaultTypes } from "./types.ts";

export const ROOT_02 = "/reconcile/0.2";
export const ROOT_10 = "/reconcile/1.0";

/** Size of the preview frame in pixels. */
const PREVIEW = { width: 420, height: 230 };

const common = (baseUrl: string) => ({
  name: "Samespot venue directory",
  logo: `${baseUrl}/icons/store_bg_64.svg`,
  documentation: `${baseUrl}/docs`,
  defaultTypes,
  batchSize: LARGEST_BATCH,
});

export function manifest02(baseUrl: string) {
  const service = (path: string) => ({ service_url: baseUrl + ROOT_02, service_path: path });
  return {
    versions: ["0.2"],
    ...common(baseUrl),
    identifierSpace: `${baseUrl}/venues/`,
    schemaSpace: "https://schema.org/Place",
    view: { url: `${baseUrl}/venues/{{id}}` },
    preview: { url: `${baseUrl}${ROOT_02}/preview?id={{id}}`, ...PREVIEW },
    suggest: {
      entity: service("/suggest/entity"),
      property: service("/suggest/property"),
      type: service("/suggest/type"),
    },
    extend: { propose_properties: service("/extend/propose"), property_settings: [] },
  };
}

/** The 1.0 schema allows `{id}` and `{{id}}` in addresses. This manifest uses `{{id}}`, which 0.2 clients also understand. */
export function manifest10(baseUrl: string) {
  return {
    versions: ["1.0-draft"],
    ...common(baseUrl),
    lang: "en",
    standardizedScore: true,
    view: { url: `${baseUrl}/venues/{{id}}` },
    preview: PREVIEW,
    suggest: { entity: true, property: true, type: true },
    extend: { proposeProperties: true, propertySettings: [] },
  };
}
