import { randomToken } from "../../shared/crypto.ts";
import { venueHref } from "./view.ts";

export interface CheckinForm {
  /** The form checks in once for each key. */
  key: string;
  shout: string;
  error: string | undefined;
}

export const newCheckinForm = (): CheckinForm => ({ key: randomToken(16), shout: "", error: undefined });

/** What `checkins/form` shows. */
export const checkinFormView = (venueId: string, form: CheckinForm) => ({
  action: `${venueHref(venueId)}/checkins`,
  ...form,
});
export type CheckinFormView = ReturnType<typeof checkinFormView>;
