import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { freePort } from '../../server/testing/listen';
import { test } from '../test';

let dataDir: string;
let port: number;
const started: ChildProcess[] = [];

test.beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'weft-start-'));
  port = await freePort();
});

test.afterEach(() => {
  for (const child of started.splice(0)) killGroup(child);
  rmSync(dataDir, { recursive: true, force: true });
});

const NPM_START = ['npm', 'start'];
/** The same without npm, which takes half a second of CPU time. */
const START = [process.execPath, 'scripts/start.mjs'];

/** The service in its own process group, with its output. */
function start(
  variables: Record<string, string> = {},
  [command = '', ...args] = START,
): { child: ChildProcess; printed: () => string } {
  const child = spawn(command, args, {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      BCRYPT_COST: '4',
      ADMIN_EMAIL: '',
      ADMIN_PASSWORD: '',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  started.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  return { child, printed: () => text };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

const exitCode = (child: ChildProcess) =>
  child.exitCode ?? new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/status`, 'utf8').includes('Z (');
const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const health = async () => {
  try {
    return (await fetch(`http://localhost:${port}/readyz`)).status;
  } catch {
    return 0;
  }
};
const ready = (printed: () => string) => expect.poll(printed, { timeout: 60_000 }).toContain('Processes:');
/** Each start of the service logs one. */
const lastAnnouncement = (text: string) => text.slice(text.lastIndexOf('Processes:'));
const pidsIn = (text: string) =>
  [...(/Processes: (.*)/.exec(text)?.[1] ?? '').matchAll(/\d+/g)].map(([pid]) => Number(pid));

test('a first start prints its URL, how to sign in and its processes; SIGTERM ends them all', async ({ page }) => {
  const { child, printed } = start({}, NPM_START);
  await ready(printed);
  expect(await health()).toBe(200);
  expect(printed()).toContain(` is ready at http://localhost:${port}`);
  const [link] = /http:\S+\/setup\?token=\S+/.exec(printed()) ?? [];
  await page.goto(link ?? '');
  await expect(page.getByRole('textbox').first()).toBeVisible();
  await page.goto('about:blank');
  const pids = pidsIn(printed());
  expect(pids).toHaveLength(2);
  child.kill('SIGTERM');
  expect(await exitCode(child)).toBe(0);
  expect(printed()).toContain('Stopped.');
  expect(pids.filter(isRunning)).toEqual([]);
});

test(
  'after all processes were killed the next start recovers automatically, with the same data',
  { tag: '@long' },
  async () => {
    const first = start();
    await ready(first.printed);
    const pids = pidsIn(first.printed());
    const [link] = /http:\S+\/setup\?token=\S+/.exec(first.printed()) ?? [];
    killGroup(first.child);
    const second = start();
    await ready(second.printed);
    expect(await health()).toBe(200);
    expect(second.printed()).toContain(link);
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  },
);

test(
  'a killed service is restarted on the same database, and shuts down gracefully afterwards',
  { tag: '@long' },
  async () => {
    const { child, printed } = start();
    await ready(printed);
    const [service = 0, postgres = 0] = pidsIn(printed());
    process.kill(service, 'SIGKILL');
    await expect.poll(() => pidsIn(lastAnnouncement(printed()))[0], { timeout: 60_000 }).not.toBe(service);
    expect(await health()).toBe(200);
    expect(pidsIn(lastAnnouncement(printed()))[1]).toBe(postgres);
    expect(printed()).toContain(`The service (process ${service}) died: SIGKILL. It restarts in 0 ms.`);
    child.kill('SIGTERM');
    expect(await exitCode(child)).toBe(0);
    expect(await health()).toBe(0);
  },
);

test('a service whose supervisor is killed ends, and frees its port', { tag: '@long' }, async () => {
  const { printed } = start();
  await ready(printed);
  const pids = pidsIn(printed());
  process.kill(parentOf(pids[0] ?? 0), 'SIGKILL');
  await expect.poll(() => pids.filter(isRunning), { timeout: 30_000 }).toEqual([]);
  const next = start();
  await ready(next.printed);
  expect(await health()).toBe(200);
});

test('web and worker run separately on one database, and shut down gracefully', { tag: '@long' }, async () => {
  const web = start({ ROLE: 'web' });
  const worker = start({ ROLE: 'worker' });
  await ready(web.printed);
  await ready(worker.printed);
  expect(web.printed()).toMatch(/Processes: web \d+, PostgreSQL \d+/);
  expect(worker.printed()).toMatch(/Processes: worker \d+, PostgreSQL \d+/);
  for (const { child } of [web, worker]) child.kill('SIGTERM');
  await Promise.all([web, worker].map(({ child }) => exitCode(child)));
  expect([...pidsIn(web.printed()), ...pidsIn(worker.printed())].filter(isRunning)).toEqual([]);
});

test('with LOG_FORMAT=json every line is JSON, from the first to the last', { tag: '@long' }, async () => {
  const { child, printed } = start({ LOG_FORMAT: 'json', LOG_LEVEL: 'debug', NODE_ENV: 'production' }, [
    process.execPath,
    'dist/supervisor.mjs',
  ]);
  await ready(printed);
  // Pages, and one that does not exist: Next.js has something to say.
  for (const path of ['/login', '/docs', '/nothing', '/_next/static/none.js', '/_next/image?url=x'])
    await fetch(`http://localhost:${port}${path}`);
  child.kill('SIGTERM');
  expect(await exitCode(child)).toBe(0);
  const isJson = (line: string) => {
    try {
      return typeof JSON.parse(line) === 'object';
    } catch {
      return false;
    }
  };
  expect(
    printed()
      .trimEnd()
      .split('\n')
      .filter((line) => !isJson(line)),
  ).toEqual([]);
});

for (const [what, variables, said] of [
  ['a wrong value', { PORT: 'eighty' }, /^PORT must be a whole number/m],
  ['several of them', { ROLE: 'both', BCRYPT_COST: '99' }, /^ROLE must be one of[\s\S]*^BCRYPT_COST must be/m],
  ['missing keys in saas', { DEPLOYMENT_ENV: 'saas' }, /^JWT_SECRET must be set/m],
  [
    'a database that refuses',
    { DATABASE_URL: 'postgresql://unknown:x@127.0.0.1:1/none?connect_timeout=1' },
    /DATABASE_URL/,
  ],
] as const) {
  test(`${what}: the variable is named and the exit code is 1`, async () => {
    const { child, printed } = start(variables);
    if (what === 'a database that refuses') {
      await expect.poll(printed, { timeout: 30_000 }).toMatch(/waiting for the database at 127.0.0.1:1/);
      child.kill('SIGTERM');
      return;
    }
    expect(await exitCode(child)).toBe(1);
    expect(printed()).toMatch(said);
  });
}

test('a port in use: PORT is named and the exit code is 1', async () => {
  const squatter = createServer().listen(port, '127.0.0.1');
  const { child, printed } = start();
  expect(await exitCode(child)).toBe(1);
  expect(printed()).toMatch(/^PORT \d+ on HOST 127.0.0.1 cannot be opened: another process has it/m);
  squatter.close();
});
