import { afterAll, describe, expect, it } from 'vitest';
import { runProgram, stopSandbox } from './sandbox';

afterAll(() => stopSandbox());

const run = (source: string, input: unknown = {}, more = {}) =>
  runProgram({ source, input, nodes: { a: { n: 1 } }, execution: { id: 'exec_1' }, ...more });
const value = async (source: string, input?: unknown) => {
  const finished = await run(source, input);
  if (!finished.ok) throw new Error(`${finished.code} ${finished.message}`);
  return JSON.parse(finished.json) as unknown;
};

describe('code', () => {
  it('computes with input, nodes and execution', async () => {
    expect(await value('return { sum: input.n + nodes.a.n, id: execution.id }', { n: 41 })).toEqual({
      sum: 42,
      id: 'exec_1',
    });
  });
  it('may await, and gives null for nothing', async () => {
    expect(await value('const x = await Promise.resolve(3); return [x]')).toEqual([3]);
    expect(await value('')).toBeNull();
  });
  it('hands back what it logs', async () => {
    const { logs } = await run('console.log("hello", { a: 1 }); console.error("bad")');
    expect(logs).toEqual([
      { level: 'info', message: 'hello {"a":1}' },
      { level: 'error', message: 'bad' },
    ]);
  });
  it('tells what was thrown and where', async () => {
    expect(await run('const a = 1;\nthrow new TypeError("no good")')).toMatchObject({
      ok: false,
      code: 'CODE_ERROR',
      message: expect.stringContaining('TypeError: no good'),
    });
  });
  it('names a syntax error', async () => {
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
  it('stops what takes too much memory', async () => {
    const source = 'const all = []; for (;;) all.push(new ArrayBuffer(1_000_000))';
    expect(await run(source, {}, { memoryBytes: 8 * 1024 * 1024 })).toMatchObject({ ok: false, code: 'CODE_MEMORY' });
  });
  it('fails when what the code returns can not be written out', async () => {
    expect(await run('const ring = {}; ring.ring = ring; return ring')).toMatchObject({
      ok: false,
      code: 'CODE_ERROR',
    });
  });
  it('lets nobody else pay for the memory that one has used up', async () => {
    const large = 'return Array.from({ length: 120_000 }, (_, id) => ({ id, text: "x".repeat(100) }))';
    expect(await run(large)).toMatchObject({ ok: false, message: expect.not.stringContaining('Aborted') });
    expect(await run('return 1')).toMatchObject({ ok: true, json: '1' });
  });
  it('survives a bottomless recursion', async () => {
    expect(await run('const f = () => f() + 1; return f()')).toMatchObject({ ok: false, code: 'CODE_ERROR' });
  });
  it('tells of a promise that never settles', async () => {
    expect(await run('await new Promise(() => {})')).toMatchObject({
      ok: false,
      message: expect.stringContaining('never settles'),
    });
  });
  it('works on after all of that', async () => {
    expect(await value('return 1')).toBe(1);
  });
  it('runs many at once, each with its own globals', async () => {
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, n) => value('globalThis.seen = (globalThis.seen ?? 0) + input; return seen', n)),
    );
    expect(all).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });
});
