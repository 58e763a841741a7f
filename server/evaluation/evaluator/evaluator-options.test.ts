import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { evaluatorArguments } from './evaluator-options';

/** This version of Node.js, and others whose programs OTHER_NODES names, separated as in PATH. */
const PROGRAMS = [process.execPath, ...(process.env['OTHER_NODES'] ?? '').split(path.delimiter).filter(Boolean)];

const PROBE = readFileSync(path.join(import.meta.dirname, 'testing/open-doors.mjs'), 'utf8');

/** What code finds open in an evaluator process, outside its sandbox: by name. */
async function openDoors(program: string): Promise<Record<string, string>> {
  const print = 'JSON.stringify([...process.allowedNodeEnvironmentFlags])';
  const flags = new Set(JSON.parse(execFileSync(program, ['-p', print], { encoding: 'utf8' })) as string[]);
  const options = evaluatorArguments(256 * 1024 * 1024, (flag) => flags.has(flag));
  const preload = `--import=data:text/javascript,${encodeURIComponent(PROBE)}`;
  const child = spawn(program, [preload, ...options], {
    env: {} as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [found, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  const [last = ''] = found.trim().split('\n').slice(-1);
  expect(last, errors).toMatch(/^\{/);
  return JSON.parse(last) as Record<string, string>;
}

test.each(PROGRAMS)(
  'code that leaves its sandbox finds every door closed: %s',
  async (program) => {
    expect(await openDoors(program)).toEqual({});
  },
  60_000,
);
