// `npm run deploy:check`: builds the image of deploy/Dockerfile with buildah on a base made from the distribution, and checks its size and
// files. Needs root on Debian.
import { existsSync } from 'node:fs';
import { aptInstall } from './apt.mjs';
import { buildImage, checkFiles } from './image/build.mjs';

const TOOLS = { buildah: 'buildah', debootstrap: 'debootstrap' };
const missing = Object.entries(TOOLS).filter(
  ([tool]) => !['/usr/bin', '/usr/sbin'].some((at) => existsSync(`${at}/${tool}`)),
);
if (process.getuid?.() !== 0) throw new Error('deploy:check needs root: it builds and mounts an image.');
if (missing.length > 0) {
  process.stdout.write(`Installing ${missing.map(([, name]) => name).join(', ')} from the distribution\n`);
  for (const [, name] of missing) await aptInstall(name);
}
const image = await buildImage();
try {
  checkFiles(image.folder);
} finally {
  image.remove();
}
process.stdout.write('The image is as it should be.\n');
