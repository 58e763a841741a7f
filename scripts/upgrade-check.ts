// `npm run upgrade:check [-- --from <commit>]`: processes of an earlier release and of this one on one database, under
// load: both side by side, then only new ones, then only old ones again. No call may fail, and every accepted run must
// complete. Without `--from`, the earlier release is the last tag, or else the commit before the newest migration.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedDatabase } from '../server/platform/db/postgres/embedded';
import { freePort } from '../server/testing/listen';
import { Load } from './image/load.mjs';
import { compareApis } from './upgrade/api-changes';

const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(root, 'dist', 'upgrade-'));
/** How long each phase is under load, in milliseconds. */
const PHASE_MS = 8000;
/** How long runs may take to complete after the load. */
const REST_MS = 60_000;
const OWNER = { email: 'owner@example.com', password: 'Owner-Password-1234' };
const ENV = {
  NODE_ENV: 'test' as const,
  JWT_SECRET: 'a secret that signs the access tokens of the check',
  ENCRYPTION_KEY: 'a key that encrypts the secrets of the check',
  MFA_SECRET_KEY: 'a key that encrypts second factors of the check',
  ADMIN_EMAIL: OWNER.email,
  ADMIN_PASSWORD: OWNER.password,
  RATE_LIMIT_TIER: 'unlimited',
  LOG_LEVEL: 'error',
  BCRYPT_COST: '4',
};

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const say = (text: string) => process.stdout.write(`${text}\n`);

/** The commit of the earlier release. */
function earlier(): string {
  const { from } = parseArgs({ options: { from: { type: 'string' } } }).values;
  if (from) return git('rev-parse', `${from}^{commit}`);
  const tag = git('tag', '--merged', 'HEAD^', '--sort=-creatordate').split('\n')[0];
  if (tag) return git('rev-parse', `${tag}^{commit}`);
  const newest = readdirSync(path.join(root, 'prisma/migrations'))
    .filter((name) => /^\d/.test(name))
    .toSorted()
    .at(-1);
  const added = git('log', '-1', '--format=%H', '--diff-filter=A', '--', `prisma/migrations/${newest}`);
  return git('rev-parse', added ? `${added}^` : 'HEAD');
}

const node = (cwd: string, ...args: string[]) => execFileSync(process.execPath, args, { cwd, stdio: 'pipe' });

/** Bundles the programs of a work tree. */
function bundle(tree: string): void {
  node(tree, '-e', `import('./scripts/build.mjs').then((b) => b.generate().then(() => b.buildEvaluator()))`);
  const code = `import('./server/testing/processes/bundle.ts').then(({ bundle }) => bundle())`;
  node(tree, 'node_modules/tsx/dist/cli.mjs', '-e', code);
}

/** A work tree of the earlier release, on the disk of this one, with its libraries and programs. */
function checkOut(commit: string): string {
  const tree = path.join(folder, 'release');
  git('worktree', 'add', '--quiet', '--detach', tree, commit);
  const isSame = git('diff', '--name-only', commit, '--', 'package-lock.json') === '';
  // Hard links: evaluator processes may read nothing outside of their own tree.
  if (isSame) execFileSync('cp', ['-al', path.join(root, 'node_modules'), tree], { stdio: 'pipe' });
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tree, stdio: 'pipe' });
  bundle(tree);
  return tree;
}

class Release {
  private readonly running: ChildProcess[] = [];
  url = '';

  constructor(
    private readonly name: string,
    private readonly tree: string,
    private readonly databaseUrl: string,
  ) {}

  /** Starts a worker and then a web process. The worker migrates the database. */
  async start(): Promise<void> {
    const port = await freePort();
    await this.one('testing-service', { ROLE: 'worker' });
    await this.one('testing-web', { ROLE: 'web', PORT: String(port) });
    this.url = `http://127.0.0.1:${port}`;
  }

  private async one(program: string, env: Record<string, string>): Promise<void> {
    const child = spawn(process.execPath, [`dist/${program}.mjs`], {
      cwd: this.tree,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: this.databaseUrl,
        DATA_DIR: path.join(folder, `data-${this.name}`),
        ...ENV,
        ...env,
      },
    });
    this.running.push(child);
    await Promise.race([
      once(child.stdout, 'data').then(async ([chunk]) => {
        for (let said = String(chunk); !said.includes('Processes:');) said += String(await once(child.stdout, 'data'));
      }),
      once(child, 'exit').then(() => Promise.reject(new Error(`${this.name}: ${program} ended before it was ready`))),
    ]);
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.running.splice(0).map(async (child) => {
        const exit = once(child, 'exit');
        if (child.exitCode === null && child.kill('SIGTERM')) await exit;
      }),
    );
  }
}

interface Answer {
  status: number;
  text: string;
}

async function call(url: string, method: string, token?: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

async function ask<Body>(status: number, ...given: Parameters<typeof call>): Promise<Body> {
  const answer = await call(...given);
  if (answer.status !== status) throw new Error(`${given[1]} ${given[0]}: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text) as Body;
}

const at = (x: number) => ({ x, y: 0 });
const DEFINITION = {
  nodes: [
    { id: 'start', type: 'start', position: at(0), config: {} },
    { id: 'doubled', type: 'transform', position: at(300), config: { expression: 'input.n * 2' } },
    { id: 'wait', type: 'delay', position: at(600), config: { durationMs: 500 } },
    { id: 'code', type: 'code', position: at(900), config: { source: 'return input + 1;' } },
  ],
  connections: [
    { sourceNode: 'start', sourcePort: 'output', targetNode: 'doubled', targetPort: 'input' },
    { sourceNode: 'doubled', sourcePort: 'output', targetNode: 'wait', targetPort: 'input' },
    { sourceNode: 'wait', sourcePort: 'output', targetNode: 'code', targetPort: 'input' },
  ],
};
const APPROVAL = {
  nodes: [
    { id: 'start', type: 'start', position: at(0), config: {} },
    { id: 'ask', type: 'approval', position: at(300), config: {} },
  ],
  connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'ask', targetPort: 'input' }],
};

/** A user of one release, who also calls the other. */
class Caller {
  readonly accepted: string[] = [];
  private paths = { hook: '', approval: '' };

  private constructor(private readonly token: string) {}

  static async signIn(url: string): Promise<Caller> {
    return new Caller(
      (await ask<{ accessToken: string }>(200, `${url}/api/auth/login`, 'POST', undefined, OWNER)).accessToken,
    );
  }

  async prepare(url: string): Promise<void> {
    const make = async (name: string, definition: object) => {
      const { id } = await ask<{ id: string }>(201, `${url}/api/workflows`, 'POST', this.token, { name, definition });
      await ask(200, `${url}/api/workflows/${id}`, 'PUT', this.token, { status: 'active' });
      return id;
    };
    const id = await make('Load', DEFINITION);
    await ask(201, `${url}/api/workflows/${id}/webhooks`, 'POST', this.token, {
      path: 'load',
      verification: { kind: 'none' },
    });
    this.paths = { hook: `/webhooks/${id}/load`, approval: `/api/workflows/${await make('Ask', APPROVAL)}/execute` };
  }

  deliver = async (url: string, n: number): Promise<Answer> => {
    const answer = await call(url + this.paths.hook, 'POST', undefined, { n });
    if (answer.status === 202) this.accepted.push((JSON.parse(answer.text) as { executionId: string }).executionId);
    return answer;
  };

  /** Starts a run that waits for a decision. */
  async ask(url: string): Promise<string> {
    return (await ask<{ executionId: string }>(202, url + this.paths.approval, 'POST', this.token, {})).executionId;
  }

  async decide(url: string, id: string): Promise<void> {
    await this.until(url, id, 'paused');
    await ask(200, `${url}/api/executions/${id}/resume`, 'POST', this.token, { nodeId: 'ask', decision: 'approved' });
    await this.until(url, id, 'completed');
  }

  private async until(url: string, id: string, wanted: string): Promise<void> {
    for (const deadline = Date.now() + REST_MS; ; await pause(100)) {
      const { status } = await ask<{ status: string }>(200, `${url}/api/executions/${id}`, 'GET', this.token);
      if (status === wanted) return;
      if (Date.now() > deadline) throw new Error(`${id} is ${status} instead of ${wanted}`);
    }
  }
}

/** Sends deliveries to these releases in turns while `work` is done, for a phase. */
async function underLoad(what: string, caller: Caller, releases: Release[], work: () => Promise<void>): Promise<void> {
  const load = new Load((n) => caller.deliver(releases[n % releases.length]?.url ?? '', n));
  try {
    await Promise.all([work(), pause(PHASE_MS)]);
  } finally {
    await load.stop();
  }
  say(`${what}: ${load.accepted} deliveries accepted, ${load.failures.length} failed`);
  if (load.failures[0]) throw new Error(load.failures[0]);
}

async function check(databaseUrl: string, oldTree: string): Promise<void> {
  const [old, current] = [new Release('old', oldTree, databaseUrl), new Release('new', root, databaseUrl)];
  try {
    await old.start();
    const caller = await Caller.signIn(old.url);
    await caller.prepare(old.url);
    const asked = await caller.ask(old.url);
    await underLoad('The earlier release, while this one migrates and starts', caller, [old], () => current.start());
    await underLoad('Both', caller, [old, current], async () => {
      await caller.decide(current.url, asked);
      await caller.decide(old.url, await caller.ask(current.url));
      await (await Caller.signIn(current.url)).decide(old.url, await caller.ask(old.url));
      say(await compareApis(old.url, current.url));
    });
    const open = await caller.ask(old.url);
    await underLoad('This release, while the earlier one stops', caller, [current], () => old.stop());
    await caller.decide(current.url, open);
    const again = await caller.ask(current.url);
    await old.start();
    await underLoad('Back: the earlier release, while this one stops', caller, [old], () => current.stop());
    await caller.decide(old.url, again);
    await Caller.signIn(old.url);
    await requireCompleted(databaseUrl, caller.accepted);
    say(`All ${caller.accepted.length} accepted runs completed`);
  } finally {
    await Promise.all([old.stop(), current.stop()]);
  }
}

async function requireCompleted(databaseUrl: string, ids: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const deadline = Date.now() + REST_MS; ; await pause(250)) {
      const { rows } = await client.query<{ status: string; count: number; error: string | null }>(
        `SELECT coalesce(status, 'lost') AS status, count(*)::int AS count, max(error::text) AS error
         FROM unnest($1::text[]) wanted LEFT JOIN execution ON id = wanted GROUP BY 1`,
        [ids],
      );
      if (rows.every(({ status }) => status === 'completed')) return;
      if (Date.now() > deadline || rows.some(({ status }) => status === 'failed' || status === 'lost'))
        throw new Error(
          `Runs: ${rows.map(({ status, count, error }) => `${count} ${status} ${error ?? ''}`).join(', ')}`,
        );
    }
  } finally {
    await client.end();
  }
}

const commit = earlier();
say(`Earlier release: ${git('log', '-1', '--format=%h %s', commit)}`);
try {
  const tree = checkOut(commit);
  bundle(root);
  const database = await startEmbeddedDatabase({ dataDir: path.join(folder, 'database') });
  try {
    await check(database.url, tree);
  } finally {
    await database.stop();
  }
} finally {
  if (existsSync(path.join(folder, 'release'))) git('worktree', 'remove', '--force', path.join(folder, 'release'));
  rmSync(folder, { recursive: true, force: true });
}
