// Checks that the API description is a valid OpenAPI document by the rules in redocly.yaml.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openApi } from '../server/http/openapi/openapi';

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
    // Disables its telemetry and version check.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
