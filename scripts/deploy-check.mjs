// `npm run deploy:check`: builds the image of deploy/Dockerfile with buildah on a base made from the distribution, checks its size and files,
// and runs the fleet of deploy/compose.yaml from it. Needs root on Debian.
import { spawnSync } from 'node:child_process';
import { buildImage, checkFiles } from './image/build.mjs';
import { show } from './step.mjs';
import { ensureTools } from './tools.mjs';

if (process.getuid?.() !== 0) throw new Error('deploy:check needs root: it builds and mounts an image.');
await ensureTools({
  buildah: 'buildah',
  debootstrap: 'debootstrap',
  haproxy: 'haproxy',
  dnsmasq: 'dnsmasq-base',
  // Valkey where the distribution has it.
  ...(spawnSync('valkey-server', ['--version']).error ? { 'redis-server': 'redis-server' } : {}),
});
const image = await buildImage();
try {
  checkFiles(image.folder);
  const fleet = ['scripts/image/fleet.mjs', image.folder, JSON.stringify(image.command)];
  const code = await show('unshare', ['--net', '--mount', process.execPath, ...fleet]);
  if (code !== 0) throw new Error('The fleet is not as it should be.');
} finally {
  image.remove();
}
process.stdout.write('The image and the fleet are as they should be.\n');
