// Whether the description of the API is a good OpenAPI document, as redocly.yaml understands it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openApi } from '../server/api/openapi';

const folder = mkdtempSync(path.join(tmpdir(), 'weft-openapi-'));
const file = path.join(folder, 'openapi.json');
try {
  writeFileSync(file, JSON.stringify(openApi('https://weft.test'), null, 2));
  const lint = [
    'node_modules/@redocly/cli/bin/cli.js',
    'lint',
    file,
    '--config',
    'redocly.yaml',
    '--format',
    'stylish',
  ];
  const { status } = spawnSync(process.execPath, lint, {
    // It would report its use and look for a newer version of itself.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
