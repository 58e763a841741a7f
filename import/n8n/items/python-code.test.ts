import { expect, it } from 'vitest';
import { programs } from '@/server/evaluation/evaluator/testing/programs';
import { useEvaluation } from '@/server/testing/evaluation';
import { importN8n } from '../convert';

useEvaluation();

/** The code node that a code node of n8n becomes, after a node whose output is a list. */
function imported(pythonCode: string, more: object = {}) {
  const start = { name: 'Start', type: 'n8n-nodes-base.webhook', parameters: { path: 'a' }, position: [0, 0] };
  const parameters = { language: 'python', pythonCode, ...more };
  const code = { name: 'Code', type: 'n8n-nodes-base.code', parameters, position: [0, 0] };
  const connections = { Start: { main: [[{ node: 'Code', type: 'main', index: 0 }]] } };
  const { definition, report } = importN8n({ name: 'Theirs', nodes: [start, code], connections });
  const node = definition.nodes.find(({ name }) => name === 'Code');
  return { config: node?.config as { language?: string; source?: string }, type: node?.type, report };
}

const { value } = programs('python');

it.each([
  [
    'all items',
    'for item in _input.all():\n  item.json.total = 2\n  item["json"]["seen"] = item.json.name\nreturn _input.all()',
    {},
    [{ body: { name: 'Ada' }, name: 'Ada', seen: 'Ada', total: 2 }],
  ],
  [
    'native items',
    'return [{"json": {"upper": _items[0]["json"]["name"].upper(), "r": _vars.REGION}}]',
    {},
    [{ upper: 'ADA', r: 'eu' }],
  ],
  [
    'texts of several lines',
    'text = """one\n  two # no comment\n""" # """\nif text:\n  other = \'it\\\'s\' + "#"\nreturn {"text": text, "other": other}',
    {},
    [{ text: 'one\n  two # no comment\n', other: "it's#" }],
  ],
  [
    'each item',
    'return {"name": _json["name"], "same": _item.json.name}',
    { mode: 'runOnceForEachItem' },
    [{ name: 'Ada', same: 'Ada' }],
  ],
])('Python that reads %s runs', async (_, code, more, expected) => {
  const { config, report } = imported(code, more);
  expect(config.language).toBe('python');
  expect(report.find(({ node }) => node === 'Code')?.outcome).toBe('converted');
  const input = [{ body: { name: 'Ada' }, name: 'Ada' }];
  expect(await value(config.source ?? '', input)).toEqual({ $items: expected, $origins: [0] });
});

it('Python says which item each result came from, keeps files, and leaves out none', async () => {
  const { config } = imported('return [{"json": {"n": one.json.n}, "binary": one.binary} for one in _items[1:]]');
  const file = { $file: 'f' };
  const input = [{ n: 1 }, { n: 2, $files: { data: file } }];
  expect(await value(config.source ?? '', input)).toEqual({
    $items: [{ n: 2, $files: { data: file } }],
    $origins: [null],
  });
  const each = imported('return {"n": _item.json.n} if _item.json.n > 1 else None', { mode: 'runOnceForEachItem' });
  expect(await value(each.config.source ?? '', input)).toEqual({ $items: [{ n: 2 }], $origins: [1] });
  // What n8n writes into a new node.
  const own = imported('_input.item.json.seen = _input.item.json.n\nreturn _input.item', {
    mode: 'runOnceForEachItem',
  });
  expect(await value(own.config.source ?? '', [{ n: 1 }, { n: 2 }])).toEqual({
    $items: [
      { n: 1, seen: 1 },
      { n: 2, seen: 2 },
    ],
    $origins: [0, 1],
  });
  await expect(value(imported('return 5').config.source ?? '', input)).rejects.toThrow();
});

it('Python with other names, or that does not end, is left to a person', () => {
  expect(imported('import pandas\nreturn _env').report.find(({ node }) => node === 'Code')).toMatchObject({
    message: expect.stringContaining('_env, pandas'),
  });
  const report = imported('x = """a\nreturn []').report.find(({ node }) => node === 'Code');
  expect(report).toMatchObject({ outcome: 'placeholder', message: expect.stringContaining('has no end') });
});
