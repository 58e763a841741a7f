import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpServer } from '@/server/api/http/server';
import { useWorker } from '@/server/testing/worker';
import { commandSearchPath } from '@/server/platform/env/search-path';
import { getRuntime } from '@/server/platform/runtime';
import { buildUser, PASSWORD, type TestUser } from '@/server/testing/factories';
import { useOwnDatabase } from '@/server/testing/database';
import { listenOn } from '@/server/testing/listen';
import { useOAuthProvider } from '@/server/testing/servers/oauth-provider';
import { CLIENT } from '@/server/testing/client';

const root = path.resolve(import.meta.dirname, '../../../..');
/** Below Linux's ephemeral ports, and different for each process. */
const PORT = String(20_000 + (process.pid % 7000));
const CALLBACK = `http://localhost:${PORT}/oauth/callback`;

useOwnDatabase();
useWorker();
const provider = useOAuthProvider([CALLBACK]);

let url: string;
let user: TestUser;
let close: () => Promise<void>;

beforeAll(async () => {
  const doors = createHttpServer((_request, response) => response.end());
  ({ url, close } = await listenOn((request, response) => void doors.emit('request', request, response)));
  user = await buildUser();
});
afterAll(async () => {
  await close();
});

const env = () => ({
  NODE_ENV: 'test' as const,
  PATH: commandSearchPath(),
  WEFT_URL: url,
  WEFT_EMAIL: user.email,
  WEFT_PASSWORD: PASSWORD,
  PORT,
  BROWSER: 'true',
});

it('run-workflow.ts runs a workflow by a call and by a webhook', async () => {
  const args = ['--import', 'tsx', 'examples/run-workflow.ts'];
  const { stdout } = await promisify(execFile)('node', args, { cwd: root, env: env() });
  expect(stdout).toBe('By call: {"total":42}\nBy webhook: {"total":42}\n');
});

it('run-workflow.sh does the same with only a shell', async () => {
  const { stdout } = await promisify(execFile)('sh', ['examples/run-workflow.sh'], { cwd: root, env: env() });
  expect(stdout.match(/^\{.*"status":"completed".*"output":42/gm)).toHaveLength(2);
  expect(stdout).toContain('The run has completed');
});

it('connect-desktop.mjs connects an account by a callback to its own machine', async () => {
  getRuntime().env.connectors = {
    hubspot: { ...CLIENT, authorizeUrl: `${provider.url}/auth`, tokenUrl: `${provider.url}/token` },
  };
  const child = spawn('node', ['examples/connect-desktop.mjs', 'hubspot'], { cwd: root, env: env() });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [found] = /http:\S+\/auth\?\S+/.exec(said) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(said)));
  });
  const visit = (query: URLSearchParams) =>
    new Promise<number | undefined>((resolve, reject) => {
      get(`${CALLBACK}?${query.toString()}`, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    });
  expect(await visit(new URLSearchParams({ code: 'stolen', state: 'another' }))).toBe(400);
  expect(await visit(await provider.consent(address))).toBe(200);
  const [code] = (await once(child, 'exit')) as [number];
  expect([code, said]).toEqual([0, expect.stringMatching(/Connected: cred_/)]);
});

/** The blocks of commands of a page; `# …` lines below a command show what it prints. */
async function blocksOf(page: string): Promise<string[]> {
  const text = await readFile(path.join(root, page), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([^`]*)```/g)].map(([, block = '']) => block);
  return blocks.filter((block) => !block.includes('npm start'));
}

const pattern = (shown: string) =>
  new RegExp(`^${shown.replaceAll(/[.*+?^${'$'}{}()|[\]\\]/g, String.raw`\$&`).replaceAll('…', '.+')}$`);

it.each(['README.md', 'docs/rest-api.md'])('the commands of %s do what the page shows', async (page) => {
  const blocks = await blocksOf(page);
  expect(blocks.length).toBeGreaterThan(1);
  // One shell for all blocks, as for a reader who pastes them one after another.
  const script = blocks
    .join('\n')
    .replaceAll('http://localhost:8080', url)
    .replaceAll('owner@example.com', user.email)
    .replaceAll('Owner-Password-1234', PASSWORD);
  const cwd = await mkdtemp(path.join(tmpdir(), 'weft-commands-'));
  try {
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd, env: env() });
    const shown = [...script.matchAll(/^# (.*)$/gm)].map(([, line = '']) => line);
    const printed = stdout.trim().split('\n');
    expect(printed.length, stdout).toBe(shown.length);
    for (const [index, line] of shown.entries()) expect(printed[index]).toMatch(pattern(line));
  } finally {
    await rm(cwd, { recursive: true });
  }
});
