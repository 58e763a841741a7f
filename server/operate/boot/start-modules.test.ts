import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');

/**
 * Libraries that a process needs to take requests and run workflows. Any other is loaded when it is used:
 * `await import(…)`.
 */
const NEEDED_AT_ONCE = [
  '@eslint-community/regexpp',
  '@fastify/busboy',
  '@node-rs/bcrypt',
  '@prisma/adapter-pg',
  '@prisma/client/runtime/client',
  '@trpc/server',
  '@trpc/server/adapters/fetch',
  'acorn',
  'aws4fetch',
  'bson',
  'croner',
  'entities/decode',
  'iconv-lite',
  'jose',
  'jsonata',
  'next',
  'next-auth/jwt',
  'next-auth/providers/credentials',
  'nodemailer/lib/addressparser/index.js',
  'nodemailer/lib/mime-node/index.js',
  'otplib',
  'pg',
  'pg-cursor',
  'pino',
  're2js',
  'socket.io',
  'undici',
  'ws',
  'zod',
];

let metafile: Metafile;

beforeAll(async () => {
  ({ metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['server/main.ts', 'server/operate/boot/web.ts', 'server/supervisor.ts'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'error',
  }));
});

/** What is loaded with a program: its own files, and the libraries. Dynamic imports do not count. */
function loadedWith(entry: string): { files: string[]; libraries: string[] } {
  const outputs = new Map(Object.entries(metafile.outputs));
  const files = new Set<string>();
  const libraries = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string) => {
    const output = outputs.get(name);
    if (!output || seen.has(name)) return;
    seen.add(name);
    for (const file of Object.keys(output.inputs)) files.add(file);
    for (const { path: imported, kind, external } of output.imports) {
      if (kind === 'dynamic-import') continue;
      if (!external) visit(imported);
      else if (!imported.startsWith('node:')) libraries.add(imported);
    }
  };
  for (const [name, { entryPoint }] of outputs) if (entryPoint === entry) visit(name);
  return { files: [...files].toSorted(), libraries: [...libraries].toSorted() };
}

test('a service starts with the libraries that it needs at once', () => {
  const libraries = ['server/main.ts', 'server/operate/boot/web.ts'].flatMap((entry) => loadedWith(entry).libraries);
  expect([...new Set(libraries)].toSorted()).toEqual(NEEDED_AT_ONCE);
});

test('a worker starts without what only the web half needs', () => {
  const { libraries } = loadedWith('server/main.ts');
  for (const library of ['next', 'socket.io', 'ws', '@trpc/server']) expect(libraries).not.toContain(library);
});

test('the supervisor starts with nothing but what watches the service', () => {
  expect(loadedWith('server/supervisor.ts')).toEqual({
    files: [
      'server/operate/boot/json-output.ts',
      'server/operate/boot/lifetime.ts',
      'server/operate/boot/print-message.ts',
      'server/operate/boot/reports.ts',
      'server/operate/boot/supervisor.ts',
      'server/platform/env/log-format.ts',
      'server/supervisor.ts',
    ],
    libraries: [],
  });
});
