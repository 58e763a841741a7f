import { describe, expect, it } from 'vitest';
import { isLarge } from '@/server/expressions/large-json';
import { PURPOSE, useEvaluation } from '@/server/testing/evaluation';
import { runProgram } from './evaluation';

useEvaluation();

const PROGRAM = { nodes: { a: { n: 1 } }, execution: { id: 'exec_1' }, cpuMs: 5000, memoryBytes: 64 * 1024 * 1024 };

/** The outcome of a program; a failure with its fields on top. */
async function run(source: string, input: unknown = {}, more = {}) {
  const finished = await runProgram({ ...PROGRAM, source, input, secrets: [], ...more }, PURPOSE);
  return finished.ok ? finished : { ...finished, ...finished.failure };
}
const value = async (source: string, input?: unknown) => {
  const finished = await run(source, input);
  if (!finished.ok) throw new Error(`${finished.code} ${finished.message}`);
  return isLarge(finished.value) ? (JSON.parse(finished.value.text) as unknown) : finished.value;
};

describe('code', () => {
  it('computes with input, nodes and execution', async () => {
    expect(await value('return { sum: input.n + nodes.a.n, id: execution.id }', { n: 41 })).toEqual({
      sum: 42,
      id: 'exec_1',
    });
  });
  it('supports await, and returns null for undefined', async () => {
    expect(await value('const x = await Promise.resolve(3); return [x]')).toEqual([3]);
    expect(await value('')).toBeNull();
  });
  it('returns what it logs', async () => {
    const { logs } = await run('console.log("hello", { a: 1 }); console.error("bad")');
    expect(logs).toEqual([
      { level: 'info', message: 'hello {"a":1}' },
      { level: 'error', message: 'bad' },
    ]);
  });
  it('reports the thrown error and its line', async () => {
    expect(await run('const a = 1;\nthrow new TypeError("no good")')).toMatchObject({
      ok: false,
      code: 'CODE_ERROR',
      message: expect.stringContaining('TypeError: no good'),
    });
  });
  it('reports a syntax error with its position', async () => {
    expect(await run('return {{')).toMatchObject({
      ok: false,
      code: 'CODE_ERROR',
      message: expect.stringContaining('SyntaxError'),
    });
  });
});

describe('the sandbox', () => {
  it.each([
    'process',
    'require',
    'fetch',
    'globalThis.process',
    'Deno',
    'setTimeout',
    '__source === undefined ? undefined : __log',
  ])('has no %s', async (name) => {
    expect(
      await value(
        `return typeof (${name.startsWith('globalThis') || name.includes('?') ? name : `globalThis.${name}`})`,
      ),
    ).toBe('undefined');
  });
  it('cannot reach the host through constructors', async () => {
    expect(await value('return (function(){}).constructor("return typeof process")()')).toBe('undefined');
  });
  it('stops an endless loop', async () => {
    expect(await run('for (;;) {}', {}, { cpuMs: 200 })).toMatchObject({ ok: false, code: 'CODE_TIMEOUT' });
  });
  it('stops a runaway regular expression', async () => {
    expect(await run('return /(a+)+$/.test("a".repeat(40) + "b")', {}, { cpuMs: 200 })).toMatchObject({
      ok: false,
      code: 'CODE_TIMEOUT',
    });
  });
  it('stops an endless chain of promises', async () => {
    expect(await run('for (;;) await null', {}, { cpuMs: 200 })).toMatchObject({ code: 'CODE_TIMEOUT' });
  });
  it.each([
    ['buffers', 'new ArrayBuffer(1_000_000)'],
    ['filled buffers', 'new Uint8Array(1_000_000).fill(1)'],
    ['small buffers', 'new ArrayBuffer(100)'],
    ['objects', '{ a: 1, b: [2] }'],
    ['strings', '"x".repeat(10_000) + all.length'],
  ])('stops %s that take too much memory', async (_, expression) => {
    const source = `const all = []; for (;;) all.push(${expression})`;
    const finished = await run(source, {}, { memoryBytes: 8 * 1024 * 1024 });
    expect(finished).toMatchObject({ ok: false, code: 'CODE_MEMORY' });
  });
  it('counts the size of what the code allocates', async () => {
    const source = 'const all = []; try { for (;;) all.push(new ArrayBuffer(1_000_000)) } catch { return all.length }';
    const count = await value(source);
    expect(count).toBeGreaterThan(50);
    expect(count).toBeLessThan(100);
  });
  it('does not count the data of the program', async () => {
    const rows = Array.from({ length: 100_000 }, (_, id) => ({ id, text: `row ${id}`, isEven: id % 2 === 0 }));
    const memoryBytes = 8 * 1024 * 1024;
    expect(await run('return input.length', rows, { memoryBytes })).toMatchObject({ ok: true, value: 100_000 });
  });
  it('fails when what the code returns can not be written out', async () => {
    expect(await run('const ring = {}; ring.ring = ring; return ring')).toMatchObject({
      ok: false,
      code: 'CODE_ERROR',
    });
  });
  it('frees the memory that an earlier run used up', async () => {
    const large = 'return Array.from({ length: 120_000 }, (_, id) => ({ id, text: "x".repeat(100) }))';
    expect(await run(large)).toMatchObject({ ok: false, message: expect.not.stringContaining('Aborted') });
    expect(await run('return 1')).toMatchObject({ ok: true, value: 1 });
  });
  it('survives an infinite recursion', async () => {
    expect(await run('const f = () => f() + 1; return f()')).toMatchObject({ ok: false, code: 'CODE_ERROR' });
  });
  it('reports a promise that never settles', async () => {
    expect(await run('await new Promise(() => {})')).toMatchObject({
      ok: false,
      message: expect.stringContaining('never settles'),
    });
  });
  it('continues to work after all of these', async () => {
    expect(await value('return 1')).toBe(1);
  });
  it('runs many at once, each with its own globals', async () => {
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, n) => value('globalThis.seen = (globalThis.seen ?? 0) + input; return seen', n)),
    );
    expect(all).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });
});
