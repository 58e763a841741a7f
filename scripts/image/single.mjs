// Runs the services of deploy/compose.single.yaml as processes, and the operators' commands beside them.
// `unshare --net --mount node scripts/image/single.mjs <root folder of the image> <its command as JSON>`.
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { Containers, HEALTH_CHECK, OWNER } from './containers.mjs';
import { end, Network, until } from './network.mjs';

const [image = '', command = '[]'] = process.argv.slice(2);
const network = new Network();
const containers = new Containers('compose.single.yaml', image, network);
const weft = network.join('weft');
const postgres = network.join('postgres');
/** Commands run in a container of their own, as with `docker compose run`. */
const operator = network.join('operator');

const run = (/** @type {string} */ data, /** @type {string[]} */ ...words) =>
  containers.run(operator, { service: 'weft', data, words: ['node', ...words] });
const countOf = async (/** @type {string} */ table) =>
  (await containers.query(postgres, 'weft', `SELECT count(*)::int AS count FROM ${table}`))[0].count;

async function check() {
  const files = containers.volume('files');
  await containers.startDatabase(postgres);
  if ((await run(files, 'dist/migrate.mjs')) !== 0) throw new Error('The command migrate fails');
  const service = containers.start(weft, { service: 'weft', data: files, words: JSON.parse(command) });
  const ended = once(service, 'exit');
  const check = { service: 'weft', data: files, words: HEALTH_CHECK };
  await until('the service is healthy', async () => (await containers.run(weft, check)) === 0, 120);
  const answer = await fetch(`http://${weft.address}:8080/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(OWNER),
  });
  // A process that is healthy takes requests.
  if (answer.status !== 200) throw new Error(`Signing in answers ${answer.status}: ${await answer.text()}`);

  const people = await countOf('app_user');
  if ((await run(files, 'dist/doctor.mjs')) !== 0) throw new Error('The command doctor fails');
  if ((await run(files, 'dist/backup.mjs', '--out', '/data/one.backup')) !== 0) throw new Error('There is no backup');
  if ((statSync(path.join(files, 'one.backup')).mode & 0o077) !== 0) throw new Error('Others can read the backup');
  const { code } = await end(service);
  await ended;
  if (code !== 0) throw new Error(`The service ended with ${code} after SIGTERM`);

  await containers.query(postgres, 'postgres', 'DROP DATABASE weft');
  await containers.query(postgres, 'postgres', 'CREATE DATABASE weft');
  if ((await run(files, 'dist/restore.mjs', '/data/one.backup')) !== 0) throw new Error('The restore fails');
  const restored = await countOf('app_user');
  if (people !== 1 || restored !== people) throw new Error(`There are ${restored} people in place of ${people}`);
  process.stdout.write('One process on a read-only root is healthy, takes requests, is backed up and restored\n');
}

let isFailed = true;
try {
  await check();
  isFailed = false;
} finally {
  await network.close(isFailed);
}
