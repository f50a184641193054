import type { Earlier } from "../../../harmonize/file/layout.ts";
import { momentOf } from "../../../http/pages/times.ts";
import { t } from "../../../language/translate.ts";

export const looksLikeEdition = ({ name, createdAt, listingCount: count }: Earlier): string =>
  t("This looks like a new edition of {name}, of {day}, with {count, plural, one {# row} other {# rows}}.", {
    ...{ name, day: momentOf(createdAt).day, count },
  });
