import type { Earlier } from "../../../harmonize/file/layout.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { t } from "../../../language/translate.ts";

export const looksLikeEdition = ({ name, createdAt, listingCount: count }: Earlier): string =>
  t("This looks like a new edition of {name} ({time}, {count, plural, one {# row} other {# rows}}).", {
    name,
    time: shownTime(createdAt).text,
    count,
  });
