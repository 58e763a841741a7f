import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { buildOpenApiDocument } from './openapi';

const modules = path.resolve('node_modules');
const compiler = path.join(import.meta.dirname, 'typescript-5.mjs');

/** What a program of a client writes; an expected error that is absent shows that a generated type is too wide. */
const USE = `
import { workflowsGet } from './hey/sdk.gen';
import type { WorkflowsGetResponse } from './hey/types.gen';
import type { Execution, Workflow } from './orval';
import type { components, paths } from './openapi-typescript';

export const get = (id: string): Promise<{ data: WorkflowsGetResponse | undefined }> => workflowsGet({ path: { id } });
export const messageOf = ({ error }: Execution): string | undefined => error?.message;
export const noError: Execution['error'] = null;
export const none: components['schemas']['Execution']['error'] = null;
export const page: paths['/api/workflows']['get']['parameters']['query'] = { limit: 10 };
type Node = components['schemas']['NodeInput'];
const place = { id: 'fetch', position: { x: 0, y: 0 } };
export const node: Node = { ...place, type: 'http_request', config: { url: 'https://a.example', failOnError: '{{ input.strict }}' } };
// @ts-expect-error a node type that does not exist
export const type: Node = { ...place, type: 'http_reqest', config: {} };
// @ts-expect-error a field that the config does not have
export const field: Node = { ...place, type: 'http_request', config: { uri: 'https://a.example' } };
// @ts-expect-error the config of another type
export const other: Workflow['definition']['nodes'][number] = { ...place, type: 'delay', config: { url: 'https://a.example' } };
// @ts-expect-error a status that no execution has
export const status: Execution['status'] = 'lost';
// @ts-expect-error a limit is a number
export const limit: paths['/api/workflows']['get']['parameters']['query'] = { limit: 'ten' };
`;

const CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['.'],
};

test(
  'the generators of clients take the description, and what they make compiles in strict mode',
  { tags: 'long' },
  async () => {
    const cwd = mkdtempSync(path.join(tmpdir(), 'weft-clients-'));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    writeFileSync(path.join(cwd, 'openapi.json'), JSON.stringify(buildOpenApiDocument('https://weft.test')));
    writeFileSync(path.join(cwd, 'tsconfig.json'), JSON.stringify(CONFIG));
    writeFileSync(path.join(cwd, 'use.ts'), USE);

    const run = async (program: string, ...parameters: string[]): Promise<string> => {
      const ran = promisify(execFile)(
        process.execPath,
        ['--import', compiler, path.join(modules, program), ...parameters],
        { cwd, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
      );
      const { stdout, stderr } = await ran.catch((failure: { stdout: string; stderr: string }) => {
        throw new Error(`${program} failed: ${failure.stdout} ${failure.stderr}`);
      });
      return stdout + stderr;
    };
    const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'];
    await Promise.all([
      run('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'openapi-typescript.ts'),
      run('@hey-api/openapi-ts/dist/run.mjs', '-i', 'openapi.json', '-o', 'hey', '--no-log-file', '-p', ...plugins),
      run('orval/dist/bin/orval.js', '--input', 'openapi.json', '--output', 'orval.ts', '--client', 'fetch'),
    ]);
    expect(await run('typescript/bin/tsc', '-p', 'tsconfig.json')).toBe('');
  },
);
