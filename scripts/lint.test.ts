import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

interface Found {
  filename: string;
  code: string;
}

let house: string;
let found: Found[];

/** Files that each break one rule, and some that break none. */
const FILES = {
  'contract/lonely.ts': "import { readFileSync } from 'node:fs';\nexport const text = readFileSync;\n",
  'contract/fine.ts': "import { z } from 'zod';\nimport './words';\nexport const Text = z.string();\n",
  'contract/words.ts': 'export const words = 1;\n',
  'components/ui/Nosy.tsx': "import { secret } from '@/server/secret';\nexport const Nosy = () => secret;\n",
  'components/ui/Fine.tsx':
    "import type { Secret } from '@/server/secret';\nexport const Fine = (one: Secret) => one;\n",
  'app/busy.ts': "import { pool } from '@/server/platform/db/client';\nexport const rows = pool;\n",
  'server/api/http/starter.ts':
    "import { startWorker } from '@/server/engine/worker';\nexport const start = startWorker;\n",
  'server/engine/typist.ts': "import type { Call } from '@/server/api/operation';\nexport type Mine = Call;\n",
  'server/engine/around.ts': "import { all } from '../api/operations';\nexport const around = all;\n",
  'server/engine/store/reader.ts':
    "import { prisma } from '@/server/platform/db/client';\nexport const read = prisma;\n",
  'server/engine/store/climber.ts': "import type { Run } from '../run/run';\nexport type Mine = Run;\n",
  'server/engine/run/values/climber.ts':
    "import { startWorker } from '../../worker';\nexport const start = startWorker;\n",
  'server/engine/queue/climber.ts': "import { Run } from '@/server/engine/run/run';\nexport const start = Run;\n",
  'server/engine/attempt/climber.ts': "export const load = () => import('../run/run');\n",
  'server/engine/run/values/fine.ts':
    "import { admit } from '../../queue/admission/limits';\nexport const start = admit;\n",
  'components/graph/Painter.tsx': "import { useState } from 'react';\nexport const paint = useState;\n",
  'components/ui/Climber.tsx': "import { Editor } from '@/components/editor/Editor';\nexport const climb = Editor;\n",
  'server/people/auth/neighbour.ts':
    "import { readProvider } from '../sso/provider';\nexport const read = readProvider;\n",
  'server/platform/log.ts': "import { all } from '@/server/api/operations';\nexport const log = all;\n",
  'server/api/http/painter.ts': "import { Nosy } from '@/components/ui/Nosy';\nexport const paint = Nosy;\n",
  'server/platform/db/climber.ts':
    "import { Problem } from '@/server/api/operation/problem';\nexport const climb = Problem;\n",
  'server/workflow/nodes/digger.ts':
    "import { prisma } from '@/server/platform/db/client';\nexport const dig = prisma;\n",
  'server/engine/eager.ts': "import { operations } from '@/server/api/operations';\nexport const all = operations;\n",
  'server/caller.ts': "export const call = () => fetch('https://example.com');\n",
  'server/engine/dialler.ts': "import { request } from 'undici';\nexport const call = request;\n",
  'server/network/outbound/outbound.ts':
    "import { request } from 'undici';\nexport const call = () => [request, fetch];\n",
  'server/snoop.ts': 'export const port = process.env.PORT;\n',
  'server/platform/env/env.ts': 'export const port = process.env.PORT;\n',
  'server/loose.ts': 'export const anything: any = 1;\n',
  'server/chatty.ts': "console.log('hello');\n",
  'server/hen.ts': "import { egg } from './egg';\nexport const hen = () => egg;\n",
  'server/egg.ts': "import { hen } from './hen';\nexport const egg = () => hen;\n",
  'server/secret.ts': 'export type Secret = string;\nexport const secret: Secret = "";\n',
};

beforeAll(async () => {
  house = mkdtempSync(path.join(tmpdir(), 'weft-lint-'));
  for (const file of ['scripts/modules.mjs', 'scripts/component-modules.mjs', 'oxlint.config.mjs', 'tsconfig.json'])
    cpSync(file, path.join(house, file));
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(house, file)), { recursive: true });
    writeFileSync(path.join(house, file), text);
  }
  const oxlint = path.resolve('node_modules/oxlint/bin/oxlint');
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [oxlint, '-c', 'oxlint.config.mjs', '--format=json'],
      { cwd: house },
      (_failure, stdout) => resolve(stdout),
    );
  });
  found = (JSON.parse(output) as { diagnostics: Found[] }).diagnostics;
});

afterAll(() => rmSync(house, { recursive: true, force: true }));

const complaintsAbout = (file: string) => found.filter(({ filename }) => filename === file).map(({ code }) => code);

test.each([
  ['contract/lonely.ts', 'eslint(no-restricted-imports)'],
  ['components/ui/Nosy.tsx', 'eslint(no-restricted-imports)'],
  ['app/busy.ts', 'eslint(no-restricted-imports)'],
  ['server/api/http/starter.ts', 'eslint(no-restricted-imports)'],
  ['server/engine/typist.ts', 'eslint(no-restricted-imports)'],
  ['server/engine/store/climber.ts', 'eslint(no-restricted-imports)'],
  ['server/engine/run/values/climber.ts', 'eslint(no-restricted-imports)'],
  ['server/engine/queue/climber.ts', 'eslint(no-restricted-imports)'],
  ['server/engine/attempt/climber.ts', 'eslint(no-restricted-imports)'],
  ['server/engine/around.ts', 'eslint(no-restricted-imports)'],
  ['server/people/auth/neighbour.ts', 'eslint(no-restricted-imports)'],
  ['server/platform/log.ts', 'eslint(no-restricted-imports)'],
  ['components/graph/Painter.tsx', 'eslint(no-restricted-imports)'],
  ['components/ui/Climber.tsx', 'eslint(no-restricted-imports)'],
  ['server/api/http/painter.ts', 'eslint(no-restricted-imports)'],
  ['server/platform/db/climber.ts', 'eslint(no-restricted-imports)'],
  ['server/workflow/nodes/digger.ts', 'eslint(no-restricted-imports)'],
  ['server/engine/eager.ts', 'eslint(no-restricted-imports)'],
  ['server/engine/dialler.ts', 'eslint(no-restricted-imports)'],
  ['server/caller.ts', 'eslint(no-restricted-globals)'],
  ['server/snoop.ts', 'node(no-process-env)'],
  ['server/loose.ts', 'typescript(no-explicit-any)'],
  ['server/chatty.ts', 'eslint(no-console)'],
  ['server/hen.ts', 'import(no-cycle)'],
])('%s is refused: %s', (file, rule) => {
  expect(complaintsAbout(file)).toEqual([rule]);
});

test.each([
  'contract/fine.ts',
  'components/ui/Fine.tsx',
  'server/engine/store/reader.ts',
  'server/engine/run/values/fine.ts',
  'server/network/outbound/outbound.ts',
  'server/platform/env/env.ts',
])('%s is let pass', (file) => {
  expect(complaintsAbout(file)).toEqual([]);
});
