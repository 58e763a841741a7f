import { describe, expect, it } from 'vitest';
import { useEvaluation } from '@/server/testing/evaluation';
import { programs } from './testing/programs';

useEvaluation();

const { run, value } = programs('javascript');

describe('code', () => {
  it('computes with input, nodes and execution', async () => {
    expect(await value('return { sum: input.n + nodes.a.n, id: execution.id }', { n: 41 })).toEqual({
      sum: 42,
      id: 'exec_1',
    });
  });
  it('reads vars, and may have variables of these names itself', async () => {
    expect(await value('return vars.REGION')).toBe('eu');
    expect(await value('const vars = 1, helpers = 2; return vars + helpers')).toBe(3);
  });
  it('supports await, and returns null for undefined', async () => {
    expect(await value('const x = await Promise.resolve(3); return [x]')).toEqual([3]);
    expect(await value('')).toBeNull();
  });
  it('has Intl and the methods that depend on it', async () => {
    const source = `return [
      new Intl.NumberFormat("de-DE").format(1234.5),
      new Date("2026-07-01T12:00:00Z").toLocaleString("de-DE"),
      ["ä", "z", "a"].sort((one, other) => one.localeCompare(other, "de")),
      new Intl.DateTimeFormat().resolvedOptions().timeZone,
    ]`;
    expect(await value(source)).toEqual(['1.234,5', '1.7.2026, 14:00:00', ['a', 'ä', 'z'], 'Europe/Berlin']);
  });
  it.each([
    ['new Intl.NumberFormat("en", {style: "currency"})', 'TypeError'],
    ['new Intl.DateTimeFormat("no language")', 'RangeError'],
    ['new Intl.ListFormat("en").format([1])', 'TypeError'],
    ['new Intl.Collator().compare("a".repeat(1e6), "b")', 'RangeError'],
    ['Intl.DateTimeFormat.prototype.formatToParts.call({})', 'TypeError'],
    ['new Date(NaN).toLocaleString() + new Intl.DateTimeFormat("en").format(NaN)', 'RangeError'],
  ])('refuses what Intl refuses: %s', async (source, name) => {
    expect(await run(`return ${source}`)).toMatchObject({ code: 'CODE_ERROR', message: expect.stringContaining(name) });
  });
  it('returns what it logs', async () => {
    const { logs } = await run('console.log("hello", { a: 1 }); console.error("bad")');
    expect(logs).toEqual([
      { level: 'info', message: 'hello {"a":1}' },
      { level: 'error', message: 'bad' },
    ]);
  });
  it.each([1, 9.9])('returns a text of %d MiB, also several times', async (mebibytes) => {
    for (let time = 0; time < 3; time += 1) {
      const length = Math.floor(mebibytes * 1024 * 1024);
      expect(String(await value('return "x".repeat(input.length)', { length }))).toHaveLength(length);
    }
  });
  it('returns many texts, and refuses more than 10 MiB, or than its memory has room for', async () => {
    const source = 'return Array.from({ length: input.count }, () => "x".repeat(1000))';
    expect(await run(source, { count: 9000 })).toMatchObject({ ok: true });
    expect(await run('return "x".repeat(11 * 1024 * 1024)')).toMatchObject({
      ok: false,
      code: expect.stringMatching(/^(?:OUTPUT_TOO_LARGE|CODE_MEMORY)$/),
    });
    expect(await value('return 1')).toBe(1);
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
  it.each(['process', 'require', 'fetch', 'Deno', 'setTimeout', '__log', '__call'])('has no %s', async (name) => {
    expect(await value(`return typeof globalThis.${name} + typeof globalThis.globalThis.${name}`)).toBe(
      'undefinedundefined',
    );
  });
  it('gives each program its own globals', async () => {
    for (let i = 0; i < 3; i++) {
      expect(await value('globalThis.kept = (globalThis.kept ?? 0) + 1; Array.prototype.at = null; return kept')).toBe(
        1,
      );
      expect(await value('return [[5].at(0), typeof kept]')).toEqual([5, 'undefined']);
    }
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

describe('helpers and globals', () => {
  it('has the functions of expressions', async () => {
    const source = `return [
      helpers.formatDate('2026-01-31T23:30:00Z', 'yyyy-MM-dd'), helpers.hash('abc').slice(0, 8),
      helpers.parseCsv('a\\n1'), helpers.base64decode(helpers.base64encode('ü')), typeof helpers.now(),
    ]`;
    expect(await value(source)).toEqual(['2026-02-01', 'ba7816bf', [{ a: '1' }], 'ü', 'string']);
  });
  it('an error of a function is thrown in the code', async () => {
    expect(await value('try { helpers.addTime(0, 1, "moon") } catch (error) { return error.message }')).toMatch(
      '"moon" is not a unit of time',
    );
    expect(await run('\nreturn new URL("nowhere")')).toMatchObject({ code: 'CODE_ERROR' });
  });
  it('URL and URLSearchParams', async () => {
    const source = `
      const url = new URL('../b?x=1#y', 'https://example.com/a/c');
      url.searchParams.append('z', 'a b');
      url.port = '8443';
      return [url.href, url.searchParams.get('z'), [...new URLSearchParams({ q: 'ü' })], URL.canParse('x'), JSON.stringify({ url })]`;
    expect(await value(source)).toEqual([
      'https://example.com:8443/b?x=1&z=a+b#y',
      'a b',
      [['q', 'ü']],
      false,
      '{"url":"https://example.com:8443/b?x=1&z=a+b#y"}',
    ]);
  });
  it('TextEncoder, TextDecoder, atob and btoa', async () => {
    const source = `
      const bytes = new TextEncoder().encode('aü€');
      return [[...bytes], new TextDecoder().decode(bytes), new TextDecoder('latin1').decode(bytes.subarray(0, 1)), btoa('hi'), atob('aGk=')]`;
    expect(await value(source)).toEqual([[97, 195, 188, 226, 130, 172], 'aü€', 'a', 'aGk=', 'hi']);
  });
  it('structuredClone copies cycles, dates and collections', async () => {
    const source = `
      const from = { at: new Date(0), set: new Set([1]), map: new Map([['a', { b: 1 }]]), bytes: new Uint8Array([1, 2]) };
      from.self = from;
      const copy = structuredClone(from);
      copy.map.get('a').b = 2;
      let refused = false;
      try { structuredClone(() => 1) } catch { refused = true }
      return [copy !== from, copy.self === copy, copy.at.getTime(), [...copy.set], from.map.get('a').b, [...copy.bytes], refused]`;
    expect(await value(source)).toEqual([true, true, 0, [1], 1, [1, 2], true]);
  });
  it('a function of the service can not be reached', async () => {
    const source = `return [typeof __call, helpers.hash.constructor('return typeof process')(), typeof require]`;
    expect(await value(source + '; URL')).toEqual(['undefined', 'undefined', 'undefined']);
  });
});

it('reads integers exactly, in both languages', async () => {
  const json = '{"id": 9007199254740993, "text": "9007199254740993", "list": [-12345678901234567890, 1.5, 12]}';
  const exact = { id: '9007199254740993', text: '9007199254740993', list: ['-12345678901234567890', 1.5, 12] };
  expect(await value('return JSON.parse(input)', json)).toEqual(exact);
  expect(await value('return JSON.parse(input, (name, one) => name === "id" ? typeof one : one).id', json)).toBe(
    'string',
  );
  const { message } = (await run('return JSON.parse("[12345678901234567890, x]")')) as { message: string };
  expect(message).toContain('SyntaxError');
  const python = programs('python');
  expect(await python.value('import json\nreturn json.loads(input)', json)).toEqual(exact);
});
