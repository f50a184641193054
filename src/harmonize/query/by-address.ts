import type { LocatedAddress } from "../../contract/addresses.ts";
import { t } from "../../language/translate.ts";

/** Words a position that the directory gave by the address; undefined for none. */
export function byAddressInWords(position: LocatedAddress | null | undefined): string | undefined {
  if (!position) return undefined;
  const { lat, lng, estimated } = position;
  const how = estimated
    ? t("estimated between house numbers of the street")
    : t("taken from venues with the same house number");
  return `${how}, ${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}

export function byAddressReason(position: LocatedAddress | null | undefined): string | undefined {
  const words = byAddressInWords(position);
  return words && t("position: {how}", { how: words });
}
