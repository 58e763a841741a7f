import { expect, it } from 'vitest';
import type { LogLevel } from '@/contract/execution-log';
import { PURPOSE, useEvaluation } from '@/server/testing/evaluation';
import { codeNodeType } from './code';
import { type NodeRunResult, type NodeRunContext } from './node-type';
import { NodeFailure } from '@/server/platform/errors/node-failure';

useEvaluation();

const logs: [LogLevel, string][] = [];

/** Runs a source like the engine. */
async function run(source: string, given: { input?: unknown; timeoutMs?: number } = {}): Promise<NodeRunResult> {
  const context = {
    config: { source },
    input: given.input,
    nodes: { start: { n: 2 } },
    execution: { id: 'exec_1', workflowId: 'wf_1', input: { n: 2 } },
    timeoutMs: given.timeoutMs,
    signal: new AbortController().signal,
    log: (level: LogLevel, message: string) => void logs.push([level, message]),
    waitForSlot: async () => undefined,
    secrets: { all: [] },
    ...PURPOSE,
  };
  return await codeNodeType.run(context as unknown as NodeRunContext<{ source: string }>);
}

const failing = (running: Promise<NodeRunResult>) =>
  running.then(
    () => 'nothing',
    (error: unknown) => error instanceof NodeFailure && error.code,
  );

it('returns the result of the source for its inputs', async () => {
  const source = 'await null; return { sum: input.n + nodes.start.n, run: execution.id };';
  expect(await run(source, { input: { n: 1 } })).toEqual({
    kind: 'done',
    port: 'output',
    output: { sum: 3, run: 'exec_1' },
  });
  expect(await run('1 + 1')).toMatchObject({ output: null });
});

it('returns the log of the source', async () => {
  await run('console.log("one", { two: 2 }); console.error("three");');
  expect(logs).toEqual([
    ['info', 'one {"two":2}'],
    ['error', 'three'],
  ]);
});

it('fails with a specific code', async () => {
  expect(await failing(run('throw new Error("no")'))).toBe('CODE_ERROR');
  expect(await failing(run('return }'))).toBe('CODE_ERROR');
  expect(await failing(run('for (;;);', { timeoutMs: 50 }))).toBe('CODE_TIMEOUT');
  expect(await failing(run('return process.env'))).toBe('CODE_ERROR');
  expect(await failing(run('return fetch("http://127.0.0.1")'))).toBe('CODE_ERROR');
});
