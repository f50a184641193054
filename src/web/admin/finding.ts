export interface Finding {
  state: "good" | "warning" | "bad";
  words: string;
}
