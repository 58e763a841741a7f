// Imported first, so that an old Node.js prints this message instead of a syntax error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 20)) {
  process.stderr.write(`Node 20.20 or later is needed; this is ${process.versions.node}.\n`);
  process.exit(1);
}
