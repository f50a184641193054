// Loaded before every program, on whatever Node there is: the project's own comes from the npm package "node".
import module from "node:module";
import { fileURLToPath } from "node:url";

const [major] = process.versions.node.split(".");
if (Number(major) < 24) {
  console.error(
    `Samespot needs Node 24 and this is ${process.versions.node}. It comes with "npm ci"; if npm was told to skip install` +
      ` scripts, run "npm rebuild node" or install Node 24 yourself.`,
  );
  process.exit(1);
}

// What was compiled once is kept: a command starts in half the time. Beside the packages, where only who installs may write.
module.enableCompileCache(fileURLToPath(new URL("node_modules/.cache/node", import.meta.url)));
