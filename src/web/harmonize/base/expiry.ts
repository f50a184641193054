import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { t } from "../../../language/translate.ts";

/** Says when a file is deleted by KEEP_FILES_DAYS; undefined if that is long off. */
export const expiryInWords = ({ expiresAt }: Pick<Harmonization, "expiresAt">): string | undefined =>
  expiresAt
    ? t("This file will be deleted {time}, unless somebody changes or downloads it before then.", {
        time: shownTime(expiresAt).text,
      })
    : undefined;
