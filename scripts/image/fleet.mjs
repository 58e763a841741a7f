// Runs the services of deploy/compose.yaml as processes: the image's file system, deploy/haproxy.cfg, PostgreSQL and
// Valkey, each in a network namespace of its own. `unshare --net --mount node scripts/image/fleet.mjs <root folder of
// the image> <its command as JSON>`.
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../step.mjs';
import { Containers, HEALTH_CHECK, OWNER } from './containers.mjs';
import { Load } from './load.mjs';
import { end, Network, until } from './network.mjs';

const [image = '', command = '[]'] = process.argv.slice(2);

const network = new Network();
const containers = new Containers('compose.yaml', image, network);
const { compose } = containers;
const balancer = network.join('balancer');
const postgres = network.join('postgres');
const valkey = network.join('valkey');
const webs = ['web1', 'web2'].map((name) => network.join(name));
const workers = ['worker1', 'worker2', 'worker3'].map((name) => network.join(name));

const files = containers.volume('files');

/** @type {Map<string, import('node:child_process').ChildProcess>} */
const running = new Map();
const serviceOf = (/** @type {import('./network.mjs').Member} */ member) => (webs.includes(member) ? 'web' : 'worker');
const startService = (/** @type {import('./network.mjs').Member} */ member) => {
  const words = JSON.parse(command);
  running.set(member.name, containers.start(member, { service: serviceOf(member), data: files, words }));
};
const isHealthy = async (/** @type {import('./network.mjs').Member} */ member) =>
  (await containers.run(member, { service: serviceOf(member), data: files, words: HEALTH_CHECK })) === 0;

function startValkey() {
  const server = ['/usr/bin/valkey-server', '/usr/bin/redis-server'].find((file) => existsSync(file));
  if (!server) throw new Error('valkey-server or redis-server is needed');
  network.start(valkey, [server, '--protected-mode', 'no', ...compose.services.valkey.command.slice(1)]);
}

function startBalancer() {
  // Docker's name service, of which the balancer reads the addresses of the web processes.
  const records = webs.map(({ address }) => `--address=/web/${address}`);
  const options =
    '--keep-in-foreground --no-resolv --no-hosts --bind-interfaces --listen-address=127.0.0.11 --user=root --pid-file=';
  network.start(balancer, ['dnsmasq', ...options.split(' '), ...records]);
  // The compose file raises the limit of open files. Where this machine does not permit it, the balancer takes fewer
  // connections.
  const most = Number(/^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity);
  const fewer = most < compose.services.balancer.ulimits.nofile ? ['-n', String(Math.floor(most / 2) - 100)] : [];
  network.start(balancer, ['haproxy', '-db', ...fewer, '-f', path.join(root, 'deploy/haproxy.cfg')]);
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 });

/**
 * A call through the balancer, over a kept connection.
 *
 * @param {string} method
 * @param {string} target
 * @param {{ token?: string; body?: unknown }} options
 * @returns {Promise<{ status: number; text: string }>}
 */
async function call(method, target, { token, body } = {}) {
  const sent = request(`http://${balancer.address}:8080${target}`, {
    agent,
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, text };
}
/** As `call`, for a JSON answer with this status. */
async function ask(/** @type {number} */ status, /** @type {Parameters<typeof call>} */ ...of) {
  const answer = await call(...of);
  if (answer.status !== status)
    throw new Error(`${of[0]} ${of[1]} answers ${answer.status}: ${answer.text.slice(0, 500)}`);
  return answer.text === '' ? undefined : JSON.parse(answer.text);
}

const DEFINITION = {
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
    {
      id: 'double',
      type: 'transform',
      position: { x: 240, y: 0 },
      config: { fields: { number: '{{ input.number * 2 }}' } },
    },
    {
      id: 'code',
      type: 'code',
      position: { x: 480, y: 0 },
      config: { source: 'return { html: `<b>${input.number}</b>` };' },
    },
    {
      id: 'text',
      type: 'convert',
      position: { x: 720, y: 0 },
      config: { value: '{{ input.html }}', from: 'html', to: 'markdown' },
    },
  ],
  connections: ['start>double', 'double>code', 'code>text'].map((pair) => {
    const [sourceNode, targetNode] = pair.split('>');
    return { sourceNode, sourcePort: 'output', targetNode, targetPort: 'input' };
  }),
};

const tell = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

async function check() {
  await containers.startDatabase(postgres);
  startValkey();
  for (const member of [...webs, ...workers]) startService(member);
  startBalancer();
  await until('the balancer has a ready web process', async () => (await call('GET', '/readyz')).status === 200, 120);
  for (const member of [...webs, ...workers]) await until(`${member.name} is healthy`, () => isHealthy(member));
  tell('Web processes and workers are healthy on a read-only root; the balancer answers 200');

  for (const page of ['/login', '/docs', '/docs/webhooks', '/docs/api', '/openapi.json']) {
    const { status } = await call('GET', page);
    if (status !== 200) throw new Error(`${page} answers ${status}`);
  }
  const { accessToken: token } = await ask(200, 'POST', '/api/auth/login', { body: OWNER });
  const { id } = await ask(201, 'POST', '/api/workflows', { token, body: { name: 'Check', definition: DEFINITION } });
  await ask(201, 'POST', `/api/workflows/${id}/webhooks`, {
    token,
    body: { path: 'check', verification: { kind: 'none' } },
  });
  const deliver = (/** @type {number} */ number) => call('POST', `/webhooks/${id}/check`, { body: { number } });
  const first = JSON.parse((await deliver(21)).text);
  const finished = await ask(200, 'GET', `/api/executions/${first.executionId}?waitSeconds=30`, { token });
  if (finished.status !== 'completed' || JSON.stringify(finished.output) !== '"**42**"') {
    throw new Error(`The first run ended with ${JSON.stringify([finished.status, finished.output, finished.error])}`);
  }
  tell('The pages open, and a webhook’s run with expressions, code and a conversion completes');

  const load = new Load(deliver);
  await pause(1000);
  for (const member of [...webs, ...workers]) {
    const child = running.get(member.name);
    if (!child) throw new Error(`${member.name} does not run`);
    const { code } = await end(child);
    if (code !== 0) throw new Error(`${member.name} ended with ${code} after SIGTERM`);
    startService(member);
    await until(`${member.name} is healthy again`, () => isHealthy(member));
    await pause(3000);
  }
  await load.stop();
  if (load.failures.length > 0) {
    throw new Error(
      `${load.failures.length} of ${load.calls.length} calls failed during the rolling restart:\n${load.failures.slice(0, 5).join('\n')}`,
    );
  }
  tell(`A rolling restart of all processes failed none of ${load.calls.length} calls`);

  const [victim] = workers;
  const child = victim && running.get(victim.name);
  if (!victim || !child) throw new Error('There is no worker');
  const more = new Load(deliver);
  await pause(1000);
  await end(child, 'SIGKILL');
  await pause(1000);
  await more.stop();
  const accepted = 1 + load.accepted + more.accepted;
  await until(`all ${accepted} accepted runs are completed`, async () => {
    const completed = `SELECT count(*)::int AS count FROM execution WHERE status = 'completed'`;
    const [row] = await containers.query(postgres, 'weft', completed);
    return row.count === accepted;
  });
  tell(`All ${accepted} accepted runs completed, also after a worker was killed`);
}

let isFailed = true;
try {
  await check();
  isFailed = false;
} finally {
  agent.destroy();
  await network.close(isFailed);
}
