// Loaded before every program, on whatever Node there is: the project's own comes from the npm package "node".
const [major] = process.versions.node.split(".");
if (Number(major) < 24) {
  console.error(
    `Samespot needs Node 24 and this is ${process.versions.node}. It comes with "npm ci"; if npm was told to skip install` +
      ` scripts, run "npm rebuild node" or install Node 24 yourself.`,
  );
  process.exit(1);
}
