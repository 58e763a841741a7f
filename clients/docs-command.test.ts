import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleImport } from '@/scripts/clients.mjs';
import { searchDocumentation } from '@/server/documentation';
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

function weft(...parameters: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: folder };
    execFile(process.execPath, [program, ...parameters], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
  });
}

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
