import type { Row } from "./report.ts";

/**
 * Published F1 for pairs of such sets, each trained on the same city or set. For listings searched in a whole directory, with
 * "none of them" as a result, there are no published figures.
 */
export const PUBLISHED: Row[] = [
  { pairs: "OSM and Foursquare, official split", by: "PromptEM", F1: 0.926, source: "arXiv 2207.04802" },
  { pairs: "OSM and Foursquare, official split", by: "BERT", F1: 0.904, source: "arXiv 2207.04802" },
  { pairs: "OSM and Foursquare, official split", by: "Ditto", F1: 0.901, source: "arXiv 2207.04802" },
  { pairs: "OSM and Foursquare, official split", by: "DeepMatcher", F1: 0.866, source: "arXiv 2207.04802" },
  { pairs: "Nearest negatives, mean of eight", by: "UMP+CP", F1: 0.916, source: "AAAI 2025" },
  { pairs: "Nearest negatives, mean of eight", by: "Geo-ER", F1: 0.91, source: "AAAI 2025; method: WWW 2022" },
  { pairs: "Nearest negatives, mean of eight", by: "Ditto", F1: 0.84, source: "AAAI 2025" },
  { pairs: "Nearest negatives, mean of eight", by: "GeoLM", F1: 0.7, source: "AAAI 2025" },
  {
    pairs: "Overture 3k, own split",
    by: "Phi-3 mini, tuned",
    F1: 0.921,
    source: "project-terraforma/conflation-with-llm",
  },
  {
    pairs: "Overture 3k, own split",
    by: "Llama 3.2, tuned",
    F1: 0.912,
    source: "project-terraforma/conflation-with-llm",
  },
  { pairs: "Fodor's and Zagat, official split", by: "DeepMatcher, Ditto", F1: 1, source: "SIGMOD 2018; PVLDB 14(1)" },
];
