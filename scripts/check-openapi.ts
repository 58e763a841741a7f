// Checks that the API description is a valid OpenAPI document: by the rules in redocly.yaml, and by those that Spectral
// has for OpenAPI.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Spectral, type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { buildOpenApiDocument } from '../server/api/http/openapi/openapi';

const text = JSON.stringify(buildOpenApiDocument('https://weft.test'), null, 2);

function passesRedocly(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-openapi-'));
  const file = path.join(folder, 'openapi.json');
  try {
    writeFileSync(file, text);
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
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Errors and warnings; hints are not looked at. */
async function passesSpectral(): Promise<boolean> {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [oas as RulesetDefinition], rules: {} });
  const found = (await spectral.run(JSON.parse(text) as Record<string, unknown>)).filter(
    ({ severity }) => severity <= 1,
  );
  for (const { code, path: at, message } of found) process.stdout.write(`${code} at ${at.join('.')}: ${message}\n`);
  return found.length === 0;
}

const passed = [passesRedocly(), await passesSpectral()];
process.exitCode = passed.includes(false) ? 1 : 0;
