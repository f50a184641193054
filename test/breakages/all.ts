import { apiAnswerBreakages } from "./api/answers.ts";
import { correctionBreakages } from "./api/corrections.ts";
import { demoBreakages } from "./api/demo.ts";
import { duplicateBreakages } from "./api/duplicates.ts";
import { apiEffectBreakages } from "./api/effects.ts";
import { estimatedPositionBreakages } from "./api/estimated-positions.ts";
import { heldVenueBreakages } from "./api/held-venues.ts";
import { apiLimitBreakages } from "./api/limits.ts";
import { ownCheckinBreakages } from "./api/own-checkins.ts";
import { proposalBreakages } from "./api/proposals.ts";
import { requestBreakages } from "./api/requests.ts";
import { saidBreakages } from "./api/said.ts";
import { apiBreakages } from "./api.ts";
import { accessBreakages } from "./application-access.ts";
import { backupBreakages } from "./backup.ts";
import type { Breakage } from "./breakage.ts";
import { adminBreakages } from "./client/admin.ts";
import { basemapBreakages } from "./client/basemap.ts";
import { clientCheckinBreakages } from "./client/checkins.ts";
import { directoryAwayBreakages } from "./client/directory-away.ts";
import { fileBreakages } from "./client/files.ts";
import { clientLoginBreakages } from "./client/log-in.ts";
import { clientLoginEndBreakages } from "./client/log-in-ends.ts";
import { clientPageBreakages } from "./client/pages.ts";
import { readerBreakages } from "./client/readers.ts";
import { clientSecretBreakages } from "./client/secret.ts";
import { clientSessionBreakages } from "./client/sessions.ts";
import { contradictionBreakages } from "./contradictions.ts";
import { answerBreakages } from "./faults/answers.ts";
import { databaseBreakages } from "./faults/database.ts";
import { goneVenueBreakages } from "./faults/gone-venues.ts";
import { killedBreakages } from "./faults/killed.ts";
import { largeFileBreakages } from "./faults/large-files.ts";
import { ownDefaultsBreakages } from "./faults/own-defaults.ts";
import { replicaBreakages } from "./faults/replicas.ts";
import { tileBreakages } from "./faults/tiles.ts";
import { venueElsewhereBreakages } from "./faults/venues-elsewhere.ts";
import { keyBreakages } from "./keys.ts";
import { overloadBreakages } from "./overload.ts";
import { positionBreakages } from "./positions.ts";
import { connectionBreakages } from "./provider/connections.ts";
import { exchangeBreakages } from "./provider/exchange.ts";
import { loginBreakages } from "./provider/log-in.ts";
import { pageBreakages } from "./provider/pages.ts";
import { secretBreakages } from "./provider/secrets.ts";
import { sessionBreakages } from "./provider/sessions.ts";
import { providerBreakages } from "./provider.ts";
import { sealingBreakages } from "./secrets.ts";
import { viewBreakages } from "./views.ts";

export const breakages: Breakage[] = [
  ...providerBreakages,
  ...exchangeBreakages,
  ...loginBreakages,
  ...pageBreakages,
  ...sessionBreakages,
  ...connectionBreakages,
  ...secretBreakages,
  ...apiBreakages,
  ...requestBreakages,
  ...apiAnswerBreakages,
  ...apiEffectBreakages,
  ...correctionBreakages,
  ...demoBreakages,
  ...duplicateBreakages,
  ...ownCheckinBreakages,
  ...proposalBreakages,
  ...heldVenueBreakages,
  ...saidBreakages,
  ...estimatedPositionBreakages,
  ...apiLimitBreakages,
  ...accessBreakages,
  ...clientLoginBreakages,
  ...adminBreakages,
  ...clientLoginEndBreakages,
  ...basemapBreakages,
  ...clientCheckinBreakages,
  ...directoryAwayBreakages,
  ...clientPageBreakages,
  ...clientSecretBreakages,
  ...clientSessionBreakages,
  ...sealingBreakages,
  ...keyBreakages,
  ...fileBreakages,
  ...goneVenueBreakages,
  ...readerBreakages,
  ...killedBreakages,
  ...databaseBreakages,
  ...ownDefaultsBreakages,
  ...largeFileBreakages,
  ...replicaBreakages,
  ...tileBreakages,
  ...answerBreakages,
  ...venueElsewhereBreakages,
  ...overloadBreakages,
  ...positionBreakages,
  ...contradictionBreakages,
  ...viewBreakages,
  ...backupBreakages,
];
