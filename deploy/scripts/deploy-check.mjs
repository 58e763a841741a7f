// `npm run deploy:check`: builds the image of deploy/Dockerfile with buildah on a base made from the distribution,
// checks its size and files, and runs what deploy/compose.single.yaml and deploy/compose.yaml describe from it. Checks
// deploy/weft.service with systemd-analyze, and the chart with Helm. Needs root on Debian.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildImage, checkFiles } from '../../scripts/image/build.mjs';
import { root, show } from '../../scripts/step.mjs';
import { ensureTools } from '../../scripts/tools.mjs';

if (process.getuid?.() !== 0) throw new Error('deploy:check needs root: it builds and mounts an image.');
await ensureTools({
  buildah: 'buildah',
  debootstrap: 'debootstrap',
  haproxy: 'haproxy',
  dnsmasq: 'dnsmasq-base',
  'systemd-analyze': 'systemd',
  // Valkey where the distribution has it.
  ...(spawnSync('valkey-server', ['--version']).error ? { 'redis-server': 'redis-server' } : {}),
});
checkUnit();
if ((await show(process.execPath, ['deploy/scripts/helm-check.mjs'])) !== 0) throw new Error('The chart is wrong.');
const image = await buildImage();
try {
  checkFiles(image);
  for (const program of ['single', 'fleet']) {
    const words = [`scripts/image/${program}.mjs`, image.folder, JSON.stringify(image.config.Cmd)];
    const code = await show('unshare', ['--net', '--mount', process.execPath, ...words]);
    if (code !== 0) throw new Error(`The check ${program} failed.`);
  }
} finally {
  image.remove();
}
process.stdout.write('The image and the fleet are as they should be.\n');

function checkUnit() {
  const file = path.join(root, 'deploy/weft.service');
  const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  // Unknown settings are only warnings to systemd, which then runs without them.
  if (error || status !== 0 || stderr) throw error ?? new Error(`${file} is wrong: ${stderr}`);
}
