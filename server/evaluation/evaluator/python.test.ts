import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useEvaluation } from '@/server/testing/evaluation';
import { programs } from './testing/programs';

useEvaluation();

const { run, value } = programs('python');
const failing = async (source: string, input?: unknown) => {
  const finished = await run(source, input);
  return finished.ok ? finished : [finished.code, finished.message];
};

describe('Python code', () => {
  it('computes with input, nodes, execution and vars, which are dicts and lists', async () => {
    const source = `
total = sum(item["price"] for item in input["items"])
def twice(n):
    return n * 2
return {"total": twice(total), "n": nodes["a"]["n"], "id": execution["id"], "region": vars["REGION"], "text": "é✓"}`;
    expect(await value(source, { items: [{ price: 1.5 }, { price: 2 }] })).toEqual({
      total: 7,
      n: 1,
      id: 'exec_1',
      region: 'eu',
      text: 'é✓',
    });
  });

  it('returns null without a return, and has no state of the program before', async () => {
    expect(await value('import sys; sys.leaked = 1; global leaked; leaked = 1')).toBeNull();
    expect(await value('import sys; return [hasattr(sys, "leaked"), "leaked" in globals()]')).toEqual([false, false]);
    expect(await value('')).toBeNull();
  });

  it('has the standard library, and returns dates and sets as JSON has them', async () => {
    const source = `
import base64, collections, csv, datetime, decimal, hashlib, hmac, html, io, itertools, math, re, statistics, string, textwrap, urllib.parse, uuid, zlib
rows = list(csv.DictReader(io.StringIO("a,b\\n1,2")))
return [rows, datetime.date(2026, 2, 28) + datetime.timedelta(days=1), {3}, hashlib.sha256(b"x").hexdigest()[:8],
  re.sub(r"\\d", "#", "a1"), statistics.median([1, 5, 9]), urllib.parse.quote("a b")]`;
    expect(await value(source)).toEqual([[{ a: '1', b: '2' }], '2026-03-01', [3], '2d711642', 'a#', 5, 'a%20b']);
  });

  it('logs what it prints', async () => {
    const { logs } = await run(
      'import sys\nprint("hello", {"a": 1})\nprint("bad", file=sys.stderr)\nprint("no end", end="")',
    );
    expect(logs).toEqual(
      expect.arrayContaining([
        { level: 'info', message: "hello {'a': 1}" },
        { level: 'info', message: 'no end' },
        { level: 'error', message: 'bad' },
      ]),
    );
    const many = await run('for n in range(1000): print(n)\nraise ValueError("after output")');
    expect(many.logs).toHaveLength(200);
    expect(many).toMatchObject({ code: 'CODE_ERROR', message: 'ValueError: after output (line 2)' });
  });

  it.each([
    ['an exception', 'a = 1\nraise KeyError("no good")', 'CODE_ERROR', "KeyError: 'no good' (line 2)"],
    ['an unknown name', '\nreturn nodse', 'CODE_ERROR', "NameError: name 'nodse' is not defined (line 2)"],
    ['a syntax error', 'x = 1\nreturn {{', 'CODE_ERROR', "SyntaxError: '{' was never closed (line 2)"],
    ['a value that is not JSON', 'return object()', 'CODE_ERROR', /type object can not be an output/],
    ['a number that is not JSON', 'return float("nan")', 'CODE_ERROR', /Out of range float/],
    ['the end of the program', 'import os; os._exit(0)', 'CODE_ERROR', /ended its program/],
    ['an exit', 'import sys; sys.exit(1)', 'CODE_ERROR', /ended its program/],
    ['an endless recursion', 'def f(): return f()\nreturn f()', 'CODE_ERROR', /RecursionError/],
    ['too much memory', 'return len("x" * (300 * 1024 * 1024))', 'CODE_MEMORY', /more than 192 MiB/],
    [
      'a list that grows',
      'a = []\nwhile True: a.append("x" * 10**7 + str(len(a)))',
      'CODE_MEMORY',
      /more than 192 MiB/,
    ],
    ['too large a result', 'return "x" * (11 * 1024 * 1024)', 'OUTPUT_TOO_LARGE', /10 MiB/],
  ])('fails with %s', async (_, source, code, message) => {
    expect(await failing(source)).toEqual([
      code,
      typeof message === 'string' ? message : expect.stringMatching(message),
    ]);
  });

  it('is ended when it takes too long, and the next program runs', async () => {
    expect(await run('while True: pass', {}, { cpuMs: 1000 })).toMatchObject({
      code: 'CODE_TIMEOUT',
      message: expect.stringContaining('1000 ms'),
    });
    expect(await value('return 7')).toBe(7);
  });

  it('has no files, network, processes, threads or environment', async () => {
    const attempts = [
      'open("/etc/passwd").read()',
      'open("/data/../../etc/passwd").read()',
      'open("/data/new", "w").write("x")',
      'open("/data/input", "w").write("x")',
      'os.mkdir("/data/new")',
      'os.link("/data/input", "/data/other")',
      'os.symlink("/data/input", "/data/other")',
      'socket.create_connection(("127.0.0.1", 80), timeout=1)',
      'subprocess.run(["id"])',
      'threading.Thread(target=print).start()',
      'os.fork()',
    ];
    const source = `
import os, socket, subprocess, threading
def attempt(text):
    try:
        exec(text)
        return text + ' works'
    except Exception as error:
        return None
return [[attempt(text) for text in input], dict(os.environ)]`;
    expect(await value(source, attempts)).toEqual([attempts.map(() => null), {}]);
  });

  it('redacts secrets from its result and its log', async () => {
    const finished = await run('print("s3cret-value"); return ["s3cret-value"]', {}, { secrets: ['s3cret-value'] });
    expect(JSON.stringify(finished)).not.toContain('s3cret-value');
  });

  it('runs the example of docs/build/expressions.md', async () => {
    const [, source = ''] = /```python\n([\s\S]*?)```/.exec(readFileSync('docs/build/expressions.md', 'utf8')) ?? [];
    const items = [5, 20, 12.345].map((price) => ({ price }));
    expect(await value(source, { items })).toEqual({ count: 2, sum: 32.34 });
  });

  it('takes and returns large values', async () => {
    const items = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `item ${id}`, tags: ['a', 'b'] }));
    const source = 'return [item for item in input if item["id"] % 2]';
    expect(await value(source, items)).toEqual(items.filter(({ id }) => id % 2));
  });
});
