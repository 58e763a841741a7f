import { describe, expect, it } from 'vitest';
import { importN8n } from '../convert';
import { readinessIssues } from '@/server/workflow/definition/readiness';

const ACCOUNT_ALONE = 'Choose its credential for MongoDB.';

/** The import of a node behind a trigger. */
function imported(parameters: object, typeVersion = 1.2, more: object = {}) {
  const node = (name: string, kind: string, own: object) => ({
    name,
    type: `n8n-nodes-base.${kind}`,
    parameters: own,
    typeVersion: kind === 'mongoDb' ? typeVersion : 1,
    position: [0, 0],
    ...(kind === 'mongoDb' ? more : {}),
  });
  const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
  const nodes = [
    node('Go', 'manualTrigger', {}),
    node('It', 'mongoDb', { collection: 'orders', ...parameters }),
    node('End', 'noOp', {}),
  ];
  const { definition, report } = importN8n({ name: 'x', nodes, connections: { Go: to('It'), It: to('End') } });
  const call = definition.nodes.find(({ id }) => id === 'it_call');
  const said = report.find(({ node: name }) => name === 'It');
  const issues = readinessIssues(definition).filter(({ field }) => field.includes('.config.'));
  if (said?.message === ACCOUNT_ALONE) expect(issues).toEqual([]);
  return {
    config: call?.config,
    message: said?.message,
    outcome: said?.outcome,
    given: String(definition.nodes.find(({ id }) => id === 'it')?.config['expression']),
    items: definition.nodes.find(({ id }) => id === 'it_items')?.each,
  };
}

/** What the JavaScript in a field of the config makes of an item. */
const evaluate = (text: unknown, $json: object): unknown => {
  const [, source = ''] = /^\{\{ ([^]*) \}\}$/.exec(String(text)) ?? [];
  // oxlint-disable-next-line no-new-func -- the expressions are those that the import has written
  return JSON.parse(JSON.stringify(new Function('$json', `return ${source};`)($json) ?? null));
};
/** What the import makes of the answer of Weft's node. */
const shapeItem = (given: string, value: unknown, item: object): unknown => {
  const source = given.slice(given.indexOf('shape: ') + 'shape: '.length, given.lastIndexOf(' })'));
  // oxlint-disable-next-line no-new-func -- the expressions are those that the import has written
  return new Function('value', 'item', `return (${source})(value, item);`)(value, item);
};

describe('reading', () => {
  it.each([
    [{}, { operation: 'find', query: {} }],
    [{ operation: 'find', query: '{"status": "open"}', options: {} }, { query: { status: 'open' } }],
    [{ query: '={ "a": "{{ $json.a }}" }' }, { query: '{{' }],
    [
      { options: { limit: 5, skip: 2, sort: '{"a": -1}', projection: '{"a": 1}' } },
      { limit: 5, skip: 2, sort: { a: -1 }, projection: { a: 1 } },
    ],
    [{ options: { limit: 0, skip: 0, sort: '{}', projection: '{}' } }, { limit: undefined, sort: undefined }],
    [{ query: '{"_id": {"$in": ["6b0bc442b7a2613ccb367a4b"]}}' }, { hasTextIds: true }],
    [
      { query: '{"_id": "6b0bc442b7a2613ccb367a4b"}' },
      { query: { _id: { $oid: '6b0bc442b7a2613ccb367a4b' } }, hasTextIds: true },
    ],
    [
      { operation: 'aggregate', query: '[{"$match": {}}]' },
      { operation: 'aggregate', pipeline: [{ $match: {} }] },
    ],
    [
      { operation: 'delete', query: '{"a": 1}' },
      { operation: 'delete', query: { a: 1 }, hasTextIds: true },
    ],
  ])('%j needs an account alone', (parameters, config) => {
    const { config: made = {}, message } = imported(parameters);
    expect(message).toBe(ACCOUNT_ALONE);
    for (const [name, value] of Object.entries(config)) {
      if (value === '{{') expect(made[name]).toMatch(/^\{\{ \(\(query\) =>.*\)\(n8n\.json\([^]*\)\) \}\}$/);
      else expect(made[name]).toEqual(value);
    }
    expect(made['collection']).toBe('orders');
  });

  it('of the first version is done for the first item alone', () => {
    expect(JSON.stringify(imported({}, 1))).toContain('slice(0, 1)');
    expect(JSON.stringify(imported({}, 1.1))).not.toContain('slice(0, 1)');
    expect(JSON.stringify(imported({ operation: 'insert', fields: 'a' }, 1))).not.toContain('slice(0, 1)');
  });

  it.each([
    [{ query: '{status: open}' }, 'Write its query.'],
    [{ query: '{"a": "$1"}', queryParameters: '=["x"]' }, 'Write its query.'],
    [{ query: '{"$where": "true"}' }, 'Write its query.'],
    [{ options: { sort: '{a: 1}' } }, 'Write its order.'],
    [{ operation: 'insert', fields: '={{ $json.names }}' }, 'the names of fields are computed'],
    [{ operation: 'update', fields: 'a', updateKey: '={{ $json.key }}' }, 'the names of fields are computed'],
    [{ operation: 'insert', fields: 'a[0]', options: { useDotNotation: true } }, 'not clear'],
  ])('%j has a task', (parameters, task) => {
    expect(imported(parameters).message).toContain(task);
  });

  it('has no search indexes', () => {
    expect(imported({ resource: 'searchIndexes', operation: 'listSearchIndexes' }).outcome).toBe('placeholder');
  });
});

describe('writing', () => {
  it('inserts the fields of an item, and gives them with their id', () => {
    const options = { dateFields: 'at, none', useDotNotation: false };
    const { config = {}, message, given } = imported({ operation: 'insert', fields: 'a, at,none,b.c', options });
    expect(message).toBe(ACCOUNT_ALONE);
    const item = { a: [1], at: '2026-01-31T08:00:00Z', none: '', 'b.c': 0, other: 1 };
    expect(evaluate(config['documents'], item)).toEqual({
      a: [1],
      at: { $date: Date.parse(item.at) },
      none: '',
      'b.c': 0,
    });
    expect(evaluate(config['documents'], {})).toEqual({ a: null, at: null, none: null, 'b.c': null });
    expect(shapeItem(given, { insertedIds: ['x'] }, item)).toEqual({
      a: [1],
      at: '2026-01-31T08:00:00.000Z',
      none: '',
      'b.c': 0,
      _id: 'x',
      id: 'x',
    });
  });

  it('reads names with dots as paths', () => {
    const options = { useDotNotation: true };
    const item = { key: 'k', a: { b: 1, c: 2 }, 'x.y': 3 };
    const inserted = imported({ operation: 'insert', fields: 'a.b,a.c,x.y', options });
    expect(evaluate(inserted.config?.['documents'], item)).toEqual({ a: { b: 1, c: 2 }, x: { y: 3 } });
    const keyed = { operation: 'update', fields: 'a.b', updateKey: 'key', options };
    expect(evaluate(imported(keyed).config?.['change'], item)).toEqual({ $set: { 'a.b': 1, key: 'k' } });
    expect(evaluate(imported(keyed, 1.1).config?.['change'], item)).toEqual({ $set: { a: { b: 1 }, key: 'k' } });
  });

  it('changes the document that a field names, and gives the fields', () => {
    const parameters = { operation: 'update', fields: 'a,id', upsert: true };
    const { config = {}, message, given } = imported(parameters);
    expect(message).toBe(ACCOUNT_ALONE);
    expect(config).toMatchObject({ operation: 'update', which: 'first', hasTextIds: true });
    expect(evaluate(config['query'], { id: 7, a: 1 })).toEqual({ id: 7 });
    expect(evaluate(config['change'], { id: 7, a: 1 })).toEqual({ $set: { a: 1, id: 7 } });
    expect(evaluate(config['upsert'], { id: 7 })).toBe(true);
    expect(shapeItem(given, {}, { id: 7, a: 1, b: 2 })).toEqual({ a: 1, id: 7 });
    // Nothing is done for an item without the field, and nothing comes of it.
    expect(evaluate(config['query'], { a: 1 })).toEqual({ _id: { $in: [] } });
    expect(evaluate(config['upsert'], { a: 1 })).toBe(false);
    expect(shapeItem(given, {}, { a: 1 })).toEqual([]);
    // Later versions fail there, and so does a node without a query.
    const later = imported(parameters, 1.5);
    expect(evaluate(later.config?.['query'], { a: 1 })).toBe(null);
    expect(later.config?.['upsert']).toBe(true);
    expect(evaluate(config['query'], { id: { $ne: 1 } })).toBe(null);
  });

  it('finds by an object id, which is not written', () => {
    const id = '6b0bc442b7a2613ccb367a4b';
    for (const [operation, field] of [
      ['findOneAndUpdate', 'change'],
      ['findOneAndReplace', 'document'],
    ] as const) {
      const { config = {}, given } = imported({ operation, fields: '= a', updateKey: '=_id ' });
      expect(evaluate(config['query'], { _id: id, a: 1 })).toEqual({ _id: { $oid: id } });
      const written = operation === 'findOneAndUpdate' ? { $set: { a: 1 } } : { a: 1 };
      expect(evaluate(config[field], { _id: id, a: 1 })).toEqual(written);
      expect(shapeItem(given, null, { _id: id, a: 1 })).toEqual({ a: 1 });
    }
  });
});
