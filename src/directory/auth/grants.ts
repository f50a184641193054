import { PROPOSE_PATH, WITHDRAW_PATH } from "../../contract/proposals.ts";
import { t } from "../../language/translate.ts";

interface Grant {
  words: () => string;
  /** Endpoints that act for the user whose token it is. */
  paths: readonly string[];
  /** Only operators of the directory can allow it, and only to an application of an operator. */
  isForOperators?: boolean;
}

/** What an application can do with a user's token: every endpoint that needs one. */
export const GRANTS: readonly Grant[] = [
  { words: () => t("Read your profile"), paths: ["/v2/users/:id"] },
  { words: () => t("Read your check-ins"), paths: ["/v2/users/:id/checkins"] },
  {
    words: () => t("Check you in, and change or delete the check-ins it made"),
    paths: ["/v2/checkins/add", "/v2/checkins/edit", "/v2/checkins/delete"],
  },
  {
    words: () => t("Add venues in your name, and link its own records to venues"),
    paths: ["/v2/venues/add", "/v2/venues/:id/annotate", "/v2/venues/annotate"],
  },
  {
    words: () => t("Correct or take back what it has just added in your name"),
    paths: ["/v2/venues/edit", "/v2/venues/delete"],
  },
  {
    words: () => t("Suggest edits and report duplicates for you, and read your proposals"),
    paths: [PROPOSE_PATH, WITHDRAW_PATH, "/v2/users/:id/proposals"],
  },
  {
    words: () => t("As you operate the directory, edit and merge all venues and revert changes"),
    paths: ["/v2/venues/merge", "/v2/venues/revert"],
    isForOperators: true,
  },
];

export const grantsInWords = ({ isOperator }: { isOperator: boolean }): string[] =>
  GRANTS.filter(({ isForOperators = false }) => isOperator || !isForOperators).map(({ words }) => words());
