import { writeTypedViews } from "./typed.ts";

writeTypedViews();
