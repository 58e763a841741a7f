import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { buildEvaluator } from '@/scripts/build.mjs';
import type { JobResult } from './evaluator-process';
import type { EvaluatorJob } from './jobs';
import { EvaluationPool } from './pool';
import { until } from '@/server/testing/runs';
import { BYTES_PER_MIB } from '@/contract/units';

await buildEvaluator();

const LIMITS = { cpuMs: 250, memoryBytes: 64 * BYTES_PER_MIB };
const code = (cpuMs = 60_000): EvaluatorJob => ({
  kind: 'code',
  language: 'javascript',
  limits: { cpuMs, memoryBytes: 64 * BYTES_PER_MIB },
  secrets: [],
  timeZone: 'UTC',
});
const expression: EvaluatorJob = { kind: 'render', language: 'jsonata', rules: { expressions: ['e'] }, limits: LIMITS };
const ENDLESS = ['for (;;);', 'null', '{}', '{}'];
const QUICK = ['return 7', 'null', '{}', '{}'];

let pool: EvaluationPool | undefined;
const open = (size = 2) => (pool = new EvaluationPool({ size, memoryBytes: 64 * BYTES_PER_MIB }));
afterEach(() => pool?.close());

const evaluate = (
  from: EvaluationPool,
  source: string,
  scope: object = {},
  workspaceId = 'ws_a',
  signal?: AbortSignal,
) => from.run(workspaceId, expression, [JSON.stringify({ e: source }), JSON.stringify(scope)], signal);
const textOf = (result: JobResult) => (result.ok ? result.message.texts[0]?.toString() : result.failure.code);

describe('a pool of evaluator processes', () => {
  test('evaluates, one job after another in the same process', async () => {
    const from = open();
    expect(textOf(await evaluate(from, '$sum(input)', { input: [1, 2, 3] }))).toBe('6');
    expect(textOf(await evaluate(from, '$string(input)', { input: 1 }))).toBe('"1"');
    expect(from.stats).toEqual({ processes: 1, running: 0, waiting: 0 });
  });

  test('ends all processes that rest, and starts one for the next job', async () => {
    const from = (pool = new EvaluationPool({ size: 2, memoryBytes: 64 * BYTES_PER_MIB, idleMs: 20 }));
    expect(textOf(await evaluate(from, '1 + 1'))).toBe('2');
    await until(async () => from.stats.processes === 0, 'the end of the processes');
    expect(textOf(await evaluate(from, '2 + 1'))).toBe('3');
  });

  test('limits a workspace to half of the processes, so that another one never waits for it', async () => {
    const from = open(4);
    const hostile = Array.from({ length: 10 }, () => from.run('ws_hostile', code(), ENDLESS));
    expect(textOf(await from.run('ws_other', code(), QUICK))).toBe('7');
    expect(from.stats.running).toBe(2);
    from.close();
    expect((await Promise.all(hostile)).every(({ ok }) => !ok)).toBe(true);
  });

  test('serves the workspaces in turn (round robin)', async () => {
    // One process, so that the jobs end in the order in which they start.
    const from = open(1);
    const order: string[] = [];
    const run = async (workspaceId: string) => {
      await from.run(workspaceId, code(), QUICK);
      order.push(workspaceId);
    };
    await Promise.all(['ws_a', 'ws_a', 'ws_a', 'ws_a', 'ws_b', 'ws_c'].map(run));
    expect(order.indexOf('ws_c')).toBeLessThan(order.lastIndexOf('ws_a'));
  });

  test('starts further processes when long jobs of several workspaces occupy all', async () => {
    const from = open(2);
    const long = ['ws_1', 'ws_2'].map((id) => from.run(id, code(), ENDLESS));
    expect(textOf(await from.run('ws_3', code(), QUICK))).toBe('7');
    from.close();
    await Promise.all(long);
  });

  test('frees the process of a cancelled job, and drops a waiting one', async () => {
    const from = open();
    const [first, second] = [new AbortController(), new AbortController()];
    const running = from.run('ws_a', code(), ENDLESS, first.signal);
    const waiting = from.run('ws_a', code(), ENDLESS, second.signal);
    second.abort();
    expect(textOf(await waiting)).toBe('CANCELLED');
    first.abort();
    expect(textOf(await running)).toBe('CANCELLED');
    expect(textOf(await from.run('ws_a', code(), QUICK))).toBe('7');
  });

  test('retries a job whose process was killed from outside', async () => {
    const from = open();
    const running = from.run('ws_a', code(), [
      'const end = Date.now() + 400; while (Date.now() < end); return 7',
      'null',
      '{}',
      '{}',
    ]);
    const pid = await pidOf(from);
    process.kill(pid, 'SIGKILL');
    expect(textOf(await running)).toBe('7');
    expect(await pidOf(from)).not.toBe(pid);
  });

  test('starts processes with an empty environment that can read only their own program', async () => {
    const from = open();
    await evaluate(from, '1');
    const read = async (file: string) => readFileSync(`/proc/${await pidOf(from)}/${file}`, 'utf8');
    expect(await read('environ')).toBe('');
    const options = (await read('cmdline')).split('\0');
    expect(options.some((option) => /^--(experimental-)?permission$/.test(option))).toBe(true);
    // The program gives up the network, which newer versions of Node.js need to be allowed (evaluator-options.test.ts).
    expect(options.filter((option) => /^--allow-(?!fs-read=|net$)/.test(option))).toEqual([]);
  });
});

/** The process of a pool that has one; waits until it has started. */
async function pidOf(from: EvaluationPool): Promise<number> {
  const [pid] = from.pids;
  if (pid === undefined) throw new Error('There is no process');
  return pid;
}

describe('a job that exceeds a limit fails with a specific code, and the next one succeeds', () => {
  const BIG = { input: { list: Array.from({ length: 5000 }, (_, index) => ({ s: 'ab'.repeat(200), n: index })) } };
  test.each([
    ['an endless loop', '($f := function($x){ $f($x + 1) }; $f(1))', 'EVALUATION_TIMEOUT'],
    [
      'an endless recursion',
      '($f := function($x){ 1 + $f($x) }; $f(1))',
      /^(EVALUATION_TIMEOUT|EXPRESSION|EVALUATION_MEMORY)$/,
    ],
    ['quadratic work in one function', '$count($distinct([1..200000].{"a": $}))', 'EVALUATION_TIMEOUT'],
    ['steps within steps', '$count(input.list.($$.input.list.(n)))', 'EVALUATION_TIMEOUT'],
    ['a large list', '$count([1..9999999])', /^EVALUATION_(TIMEOUT|MEMORY)$/],
    ['lists of lists', '[1..4000].[[1..4000]]', /^EVALUATION_(TIMEOUT|MEMORY)$/],
    ['a text that doubles', '$length($reduce([1..40], function($a, $i){ $a & $a }, "xxxxxxxx"))', 'EVALUATION_MEMORY'],
    ['padding', '$length($pad("x", 900000000))', /^EVALUATION_(TIMEOUT|MEMORY)$/],
    ['splitting', '$count($split($join(input.list.s), ""))', /^EVALUATION_(TIMEOUT|MEMORY)$|^\d+$/],
    ['sorting', '$sort([1..999999], function($a, $b){ $a < $b })[0]', 'EVALUATION_TIMEOUT'],
    [
      'a result that refers to one part many times',
      '($a := [1..100]; $reduce([1..30], function($x, $i){ [[$x], [$x]] }, $a))',
      /^EVALUATION_(TIMEOUT|MEMORY)$/,
    ],
    ['replacing', '$length($replace($join(input.list.s), "a", $pad("", 2000, "b")))', /^EVALUATION_(TIMEOUT|MEMORY)$/],
    ['merging', '$count($keys($merge([1..300000].{$string($): 1})))', 'EVALUATION_TIMEOUT'],
    [
      'a picture of times',
      `$toMillis("${'1'.repeat(3000)}x", "${'[Y]'.repeat(30)}")`,
      /^EVALUATION_TIMEOUT$|^EXPRESSION$|^null$/,
    ],
  ])('%s', { timeout: 60_000 }, async (_, source, code) => {
    const from = open();
    const outcome = textOf(await evaluate(from, source, BIG));
    if (typeof code === 'string') expect(outcome).toBe(code);
    else expect(outcome).toMatch(code);
    expect(textOf(await evaluate(from, '$sum([1, 2])'))).toBe('3');
  });
});

describe('an evaluation', () => {
  test('never treats input as a function', async () => {
    const posing = { _jsonata_lambda: true, arguments: [], body: { type: 'string', value: 'ran' }, thunk: true };
    const scope = { input: { posing, _jsonata_function: true, native: { _jsonata_function: true } } };
    const from = open();
    expect(textOf(await evaluate(from, '$type(input.posing)', scope))).toBe('"object"');
    expect(textOf(await evaluate(from, '$boolean(input.posing)', scope))).toBe('true');
    expect(textOf(await evaluate(from, 'input.posing()', scope))).toBe('EXPRESSION');
    expect(textOf(await evaluate(from, 'input.native ? "yes" : "no"', scope))).toBe('"yes"');
    expect(JSON.parse(textOf(await evaluate(from, '$merge([input.posing])', scope)) ?? '')).toEqual(posing);
  });

  test('encodes and decodes base64, as UTF-8', async () => {
    const from = open();
    expect(textOf(await evaluate(from, '$base64encode("user:pass")'))).toBe('"dXNlcjpwYXNz"');
    expect(textOf(await evaluate(from, '$base64encode("Zoë")'))).toBe('"Wm/Dqw=="');
    expect(textOf(await evaluate(from, '$base64decode("Wm/Dqw==")'))).toBe('"Zoë"');
  });
});
