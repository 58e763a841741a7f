import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleImport } from '@/scripts/clients.mjs';
import { searchDocumentation } from '@/server/api/documentation';
import { listenOn } from '@/server/testing/listen';

const root = path.resolve(import.meta.dirname, '..');

let folder: string;
let program: string;

/** The command line from its sources, in a folder of the project, where its dependencies are found. */
beforeAll(async () => {
  await bundleImport();
  mkdirSync(path.join(root, 'dist-tests'), { recursive: true });
  folder = mkdtempSync(path.join(root, 'dist-tests', 'cli-'));
  program = path.join(folder, 'dist/main.mjs');
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version: '0.0.0' }));
  await build({
    absWorkingDir: root,
    entryPoints: ['clients/cli/src/main.ts'],
    outfile: program,
    tsconfig: 'clients/tsconfig.json',
    bundle: true,
    packages: 'external',
    alias: { '@weft/client': path.join(root, 'clients/typescript/src/index.ts') },
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(command: string, parameters: string[], { input = '', more = {} } = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: folder, ...more };
    const child = execFile(command, parameters, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

const weft = (...parameters: string[]) => run(process.execPath, [program, ...parameters]);

it('`weft docs` asks the service, without a sign-in, and prints title, heading, excerpt and address', async () => {
  const { url, close } = await listenOn((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (pathname !== '/docs/search.json') return void response.writeHead(404).end('<p>Not found</p>');
    void searchDocumentation(searchParams.get('q') ?? '').then((hits) =>
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(hits)),
    );
  });
  const found = await weft('docs', '--url', url, 'retry', 'a', 'failed', 'step');
  expect(found).toMatchObject({ code: 0, stderr: '' });
  const [title = '', excerpt = '', address = ''] = found.stdout.split('\n');
  expect(found.stdout.trim().split('\n\n')).toHaveLength(5);
  expect(title).toContain('Errors and retries');
  expect(excerpt).toMatch(/^ {2}\S/);
  expect(address).toMatch(new RegExp(`^ {2}${url}/docs/errors`));

  const asJson = await weft('--json', 'docs', '--url', url, 'webhooks');
  expect(JSON.parse(asJson.stdout)[0]).toMatchObject({ title: 'Webhooks', url: `${url}/docs/webhooks` });
  expect(await weft('docs', '--url', url, 'zzzzqqqq')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No page has words like these'),
  });
  await close();
  expect(await weft('docs', '--url', url, 'webhooks')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('can not be reached'),
  });
});

it('says so if the service has no search', async () => {
  const { url, close } = await listenOn((_request, response) => void response.writeHead(404).end('<p>Not found</p>'));
  expect(await weft('docs', '--url', url, 'webhooks')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no search of its documentation'),
  });
  await close();
});

it.each(['application/json', 'text/plain'])('ends quietly when a reader of %s has enough', async (type) => {
  const lines = Array.from({ length: 100_000 }, (_, n) => `line ${n}`);
  const text = type === 'text/plain' ? lines.join('\n') : JSON.stringify(lines);
  const { url, close } = await listenOn((_request, response) => response.setHeader('Content-Type', type).end(text));
  const more = { WEFT_URL: url, WEFT_API_KEY: 'wk_test' };
  const command = `"${process.execPath}" "${program}" api GET /lines | head -2`;
  const ended = await run('bash', ['--norc', '-o', 'pipefail', '-c', command], { more });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toMatch(type === 'text/plain' ? /^line 0\nline 1\n$/ : /^\[\n {2}"line 0",\n$/);
  await close();
});

it('a refused password gets no advice to sign in', async () => {
  const refusal = { error: { code: 'UNAUTHORIZED', message: 'Wrong email or password.' } };
  const { url, close } = await listenOn((_request, response) =>
    response.writeHead(401, { 'Content-Type': 'application/json' }).end(JSON.stringify(refusal)),
  );
  const login = ['login', '--url', url, '--email', 'ada@example.com'];
  expect(await run(process.execPath, [program, ...login], { input: 'wrong' })).toEqual({
    code: 3,
    stdout: '',
    stderr: 'Wrong email or password.\n',
  });
  await close();
});

it('`--include` prints the headers that hold for the body below them', async () => {
  const { url, close } = await listenOn((request, response) => {
    const isPacked = request.url !== '/plain';
    const text = request.url === '/json' ? '{"a":1}' : 'some text';
    const body = isPacked ? gzipSync(text) : Buffer.from(text);
    response.writeHead(200, {
      'Content-Type': request.url === '/json' ? 'application/json' : 'text/plain',
      'Content-Length': body.length,
      ...(isPacked && { 'Content-Encoding': 'gzip' }),
    });
    response.end(body);
  });
  const include = async (...parameters: string[]) => {
    const more = { WEFT_URL: url, WEFT_API_KEY: 'wk_test' };
    const { stdout } = await run(process.execPath, [program, 'api', ...parameters, '--include'], { more });
    const [head = '', body] = stdout.split('\n\n');
    return [head.match(/^content-.*/gm), body];
  };
  expect(await include('GET', '/json')).toEqual([['content-type: application/json'], '{\n  "a": 1\n}\n']);
  expect(await include('GET', '/text')).toEqual([['content-type: text/plain'], 'some text']);
  expect(await include('GET', '/plain')).toEqual([['content-length: 9', 'content-type: text/plain'], 'some text']);
  // There is no body that was decoded.
  expect(await include('HEAD', '/text')).toEqual([
    ['content-encoding: gzip', expect.stringMatching(/^content-length: \d/), 'content-type: text/plain'],
    '',
  ]);
  await close();
});
