import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readOrCreateKeys } from './keys';

let dataDir: string;

beforeEach(() => {
  dataDir = path.join(mkdtempSync(path.join(tmpdir(), 'weft-keys-')), 'data');
});

afterEach(() => rmSync(path.dirname(dataDir), { recursive: true, force: true }));

test('keys are created once, with a warning that names the file, and reused', () => {
  const warn = vi.fn();
  const made = readOrCreateKeys(dataDir, warn);
  expect(readOrCreateKeys(dataDir, warn)).toEqual(made);
  expect(warn).toHaveBeenCalledOnce();
  expect(warn.mock.calls[0]?.[0]).toContain(path.join(dataDir, 'keys.json'));
});

test('each is a key of its own with 32 bytes of randomness', () => {
  const keys = Object.values(readOrCreateKeys(dataDir, vi.fn()));
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(Buffer.from(key, 'base64url')).toHaveLength(32);
});

test('only the owner can read the file, and no temporary file is left', () => {
  readOrCreateKeys(dataDir, vi.fn());
  expect(readdirSync(dataDir)).toEqual(['keys.json']);
  expect(statSync(path.join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600);
});
