import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { PURPOSE, useEvaluation } from '@/server/testing/evaluation';
import { definitionIssues } from './definition';
import { readinessIssues } from './readiness';

type Loose = Record<string, unknown>;
const node = (id: string, type: string, config: Loose = {}, more: Loose = {}) => ({
  id,
  type,
  position: { x: 0, y: 0 },
  config,
  ...more,
});
/** `a>b`, `a:port>b`, `a>b:port` */
const link = (text: string) => {
  const [from = '', to = ''] = text.split('>');
  const [sourceNode, sourcePort = 'output'] = from.split(':');
  const [targetNode, targetPort = 'input'] = to.split(':');
  return { sourceNode, sourcePort, targetNode, targetPort };
};
const draw = (nodes: unknown[], ...links: string[]) => ({ nodes, connections: links.map(link) });
useEvaluation();
const issuesOf = (value: unknown) => definitionIssues(value, PURPOSE);
const fields = async (value: unknown) => (await issuesOf(value)).map(({ field }) => field);
const ready = (value: unknown) => readinessIssues(value as WorkflowDefinition).map(({ field }) => field);

const start = node('s', 'start');
const call = node('call', 'http_request', { url: 'https://api.example.com/{{ input.id }}', method: 'POST' });
const mail = node('mail', 'send_email', {
  subject: 'Hi',
  template: 'Hello {{ input.name }}',
  to: ['{{ input.email }}'],
});

describe('a valid definition has no issues', () => {
  test.each([
    ['a lone start', draw([start])],
    ['nothing yet', draw([])],
    ['a chain', draw([start, call, mail], 's>call', 'call>mail', 'call:error>mail')],
    ['a half-drawn draft', draw([node('a', 'http_request'), node('b', 'condition', { expression: '' })])],
    [
      'settings of nodes',
      draw([
        node(
          'a',
          'delay',
          { durationMs: 5 },
          {
            name: 'Wait',
            notes: '',
            disabled: true,
            retry: { maxAttempts: 2 },
            timeoutMs: 5,
            labels: { unit: 'Hours' },
          },
        ),
      ]),
    ],
    [
      'expressions where other types are wanted',
      draw([
        node('a', 'http_request', {
          url: '{{ input.url }}',
          method: '{{ input.m }}',
          headers: '{{ input.h }}',
          failOnError: '{{ input.f }}',
        }),
        node('b', 'delay', { durationMs: '{{ input.ms }}' }),
        node('c', 'approval', { assignees: ['{{ input.boss }}'], onExpire: '{{ input.what }}' }),
      ]),
    ],
    [
      'bare and braced expressions',
      draw([
        node('a', 'condition', { expression: 'input.total > 100' }),
        node('b', 'transform', { expression: '{{ input.total }}' }),
        node('c', 'delay', { until: '2030-01-31T08:00:00Z' }),
      ]),
    ],
    [
      'ports of cases',
      draw(
        [
          start,
          node('sw', 'switch', {
            expression: 'input.n',
            cases: [
              { value: 1, port: 'one' },
              { value: '1', port: 'text' },
            ],
          }),
          mail,
        ],
        's>sw',
        'sw:one>mail',
        'sw:default>mail',
        'sw:error>mail',
      ),
    ],
  ])('%s', async (_, definition) => {
    expect(await issuesOf(definition)).toEqual([]);
  });
});

describe('issues', () => {
  test.each<[string, unknown, string[]]>([
    ['no object', 7, ['definition']],
    ['a list', [], ['definition']],
    ['null', null, ['definition']],
    ['no lists', {}, ['nodes', 'connections']],
    ['lists of the wrong type', { nodes: {}, connections: 'x' }, ['nodes', 'connections']],
    ['an unknown field', { ...draw([start]), extra: 1 }, ['extra']],
    ['an unknown type', draw([start, node('a', 'teleport')]), ['nodes[1].type']],
    ['a name inherited by every object', draw([node('a', 'constructor')]), ['nodes[0].type']],
    ['an empty type', draw([node('a', '')]), ['nodes[0].type']],
    ['a duplicate id', draw([start, node('s', 'start')]), ['nodes[1].id']],
    ['an empty id', draw([node('', 'start')]), ['nodes[0].id']],
    ['no id', draw([{ type: 'start', position: { x: 0, y: 0 }, config: {} }]), ['nodes[0].id']],
    ['NUL in an id', draw([node('a\u0000', 'start')]), ['nodes[0].id']],
    ['no node at all', draw([null]), ['nodes[0]']],
    ['a wrong position', draw([node('a', 'start', {}, { position: { x: '1', y: 0 } })]), ['nodes[0].position.x']],
    ['config that is no object', draw([node('a', 'start', {}, { config: [] })]), ['nodes[0].config']],
    ['an unknown node field', draw([node('a', 'start', {}, { colour: 'red' })]), ['nodes[0].colour']],
    [
      'wrong settings',
      draw([node('a', 'start', {}, { retry: { maxAttempts: 0 }, timeoutMs: -1 })]),
      ['nodes[0].retry.maxAttempts', 'nodes[0].timeoutMs'],
    ],
    ['labels that are no texts', draw([node('a', 'start', {}, { labels: { a: 1 } })]), ['nodes[0].labels.a']],
    [
      'labels of more than 4 KiB',
      // Each of them has 200 characters of two bytes.
      draw([
        node(
          'a',
          'start',
          {},
          { labels: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [at, 'ü'.repeat(200)])) },
        ),
      ]),
      ['nodes[0].labels'],
    ],
    [
      'a credential where none is taken',
      draw([node('a', 'start', {}, { credentialId: 'cred_1' })]),
      ['nodes[0].credentialId'],
    ],
    [
      'tries of what is done at most once',
      draw([node('a', 'http_request', {}, { repeatable: false, retry: { maxAttempts: 2 } })]),
      ['nodes[0].retry'],
    ],
    ['unknown config', draw([node('a', 'http_request', { link: 'x' })]), ['nodes[0].config.link']],
    [
      'config of the wrong type',
      draw([node('a', 'http_request', { url: 5, method: 'FETCH', headers: 'x', failOnError: 'yes' })]),
      ['nodes[0].config.url', 'nodes[0].config.method', 'nodes[0].config.headers', 'nodes[0].config.failOnError'],
    ],
    ['a wrong header', draw([node('a', 'http_request', { headers: { 'X-A': {} } })]), ['nodes[0].config.headers.X-A']],
    [
      'an expression that is no text',
      draw([node('a', 'condition', { expression: 5 })]),
      ['nodes[0].config.expression'],
    ],
    [
      'a broken expression',
      draw([
        node('a', 'condition', { expression: 'input.' }),
        node('b', 'http_request', { url: 'x{{ 1 + }}', body: { a: ['{{ (1 }}'] } }),
      ]),
      ['nodes[0].config.expression', 'nodes[1].config.url', 'nodes[1].config.body.a[0]'],
    ],
    [
      'both ways to transform',
      draw([node('a', 'transform', { expression: '1', fields: {} })]),
      ['nodes[0].config.fields'],
    ],
    [
      'a broken input schema',
      draw([node('a', 'start', { inputSchema: { type: 'objekt' } })]),
      ['nodes[0].config.inputSchema'],
    ],
    ['no email', draw([node('a', 'approval', { assignees: ['boss'] })]), ['nodes[0].config.assignees[0]']],
    [
      'ports twice or reserved',
      draw([
        node('a', 'switch', {
          expression: '1',
          cases: [
            { value: 1, port: 'x' },
            { value: 2, port: 'x' },
            { value: 3, port: 'default' },
          ],
        }),
      ]),
      ['nodes[0].config.cases[1].port', 'nodes[0].config.cases[2].port'],
    ],
    [
      'an expression for a port',
      draw([node('a', 'switch', { cases: [{ value: 1, port: '{{ input.p }}' }] })]),
      ['nodes[0].config.cases'],
    ],
    [
      'ends that do not exist',
      draw([start], 's>nowhere', 'nobody>s'),
      ['connections[0].targetNode', 'connections[1].sourceNode', 'connections[1].targetPort'],
    ],
    [
      'ports that do not exist',
      draw([start, call, mail], 's:out>call', 'call>mail:in', 's:error>mail'),
      ['connections[0].sourcePort', 'connections[1].targetPort', 'connections[2].sourcePort'],
    ],
    ['a way into the start', draw([start, call], 's>call', 'call>s'), ['connections[1].targetPort', 'connections[1]']],
    ['a connection twice', draw([start, call], 's>call', 's>call'), ['connections[1]']],
    ['a circle', draw([call, mail], 'call>mail', 'mail>call'), ['connections[1]']],
    ['a node that feeds itself', draw([call], 'call>call'), ['connections[0]']],
    [
      'a connection of the wrong shape',
      { nodes: [start], connections: [null, { sourceNode: 1 }] },
      [
        'connections[0]',
        'connections[1].sourceNode',
        'connections[1].sourcePort',
        'connections[1].targetNode',
        'connections[1].targetPort',
      ],
    ],
    ['too many nodes', draw(Array.from({ length: 2001 }, (_, index) => node(`n${index}`, 'start'))), ['nodes']],
    ['too large', draw([node('a', 'http_request', { body: 'x'.repeat(1024 * 1024) })]), ['definition']],
    ['too deep', JSON.parse(`{"nodes":${'['.repeat(100_000)}${']'.repeat(100_000)},"connections":[]}`), ['definition']],
    [
      'everything at once',
      draw([node('', 'teleport'), node('b', 'http_request', { url: 1 })], 'b>c'),
      ['nodes[0].id', 'nodes[0].type', 'nodes[1].config.url', 'connections[0].targetNode'],
    ],
  ])('%s', async (_, definition, expected) => {
    expect(await fields(definition)).toEqual(expected);
  });

  test('have helpful messages', async () => {
    expect((await issuesOf(draw([call, mail], 'call>mail', 'mail>call')))[0]?.message).toBe(
      'makes a cycle: call → mail → call',
    );
    expect((await issuesOf(draw([node('a', 'condition', { expression: 'input.total >' })])))[0]?.message).toContain(
      'position',
    );
    expect(await issuesOf({ nodes: [] })).toEqual([{ field: 'connections', message: 'is required' }]);
  });

  test('names of object prototype members are ordinary fields', async () => {
    expect(await fields(JSON.parse('{"nodes":[],"connections":[],"__proto__":{}}'))).toEqual(['__proto__']);
    const config: unknown = JSON.parse('{"__proto__":{"url":"x"}}');
    expect(await fields(draw([node('a', 'http_request', config as Loose)]))).toEqual(['nodes[0].config.__proto__']);
    expect(
      await fields(draw([node('__proto__', 'start'), node('constructor', 'transform')], '__proto__>constructor')),
    ).toEqual([]);
  });

  test('a type that is not text and cannot be converted is reported', async () => {
    const odd = node('a', JSON.parse('{"toString":1}') as string);
    expect(await fields({ nodes: [odd], connections: [] })).toEqual(['nodes[0].type']);
  });
});

describe('missing parts are reported for a run', () => {
  test.each<[string, unknown, string[]]>([
    ['nothing', draw([start, call, mail], 's>call', 'call>mail'), []],
    ['a start', draw([call]), ['nodes']],
    ['a start that is not disabled', draw([{ ...start, disabled: true }]), ['nodes']],
    [
      'required config',
      draw([start, node('a', 'http_request'), node('b', 'send_email', { subject: '' })]),
      ['nodes[1].config.url', 'nodes[2].config.subject', 'nodes[2].config.template'],
    ],
    [
      'an expression',
      draw([start, node('a', 'condition'), node('b', 'switch', { expression: '' })]),
      ['nodes[1].config.expression', 'nodes[2].config.expression'],
    ],
    [
      'one of two',
      draw([start, node('a', 'transform'), node('b', 'delay')]),
      ['nodes[1].config.expression', 'nodes[2].config.durationMs'],
    ],
    ['an address', draw([start, node('a', 'http_request', { url: 'ftp://x' })]), ['nodes[1].config.url']],
    ['nothing of disabled nodes', draw([start, node('a', 'http_request', {}, { disabled: true })]), []],
    ['nothing of a zero wait', draw([start, node('a', 'delay', { durationMs: 0 })]), []],
  ])('%s', async (_, definition, expected) => {
    expect(await issuesOf(definition)).toEqual([]);
    expect(ready(definition)).toEqual(expected);
  });
});

test('any JSON has a result', async () => {
  const known = fc.constantFrom(
    'start',
    'http_request',
    'switch',
    'transform',
    'approval',
    'delay',
    'condition',
    'send_email',
  );
  const nodes = fc.array(
    fc.oneof(
      fc.jsonValue(),
      fc.record({
        id: fc.jsonValue(),
        type: fc.oneof(known, fc.jsonValue()),
        position: fc.jsonValue(),
        config: fc.jsonValue(),
      }),
      fc.record({
        id: fc.string(),
        type: known,
        config: fc.dictionary(
          fc.constantFrom('url', 'expression', 'cases', 'fields', 'inputSchema', 'to'),
          fc.jsonValue(),
        ),
      }),
    ),
  );
  const connections = fc.array(
    fc.oneof(fc.jsonValue(), fc.record({ sourceNode: fc.jsonValue(), targetNode: fc.jsonValue() })),
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.record({ nodes, connections })), async (value) => {
      for (const issue of await issuesOf(value)) expect(issue.message).not.toBe('');
    }),
  );
});

test('an acyclic graph has no issues, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 30 }).chain((size) =>
        fc.tuple(
          fc.constant(size),
          fc.uniqueArray(
            fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).filter(([a, b]) => a < b),
            { selector: String },
          ),
          fc.shuffledSubarray([...Array(size).keys()], { minLength: size }),
        ),
      ),
      async ([, pairs, order]) => {
        const nodes = order.map((at) => node(`n${at}`, 'transform', { expression: 'input' }));
        const good = draw(nodes, ...pairs.map(([a, b]) => `n${a}>n${b}`));
        expect(await issuesOf(good)).toEqual([]);
        const [first] = pairs;
        if (!first) return;
        const circle = draw(nodes, ...pairs.map(([a, b]) => `n${a}>n${b}`), `n${first[1]}>n${first[0]}`);
        expect(await fields(circle)).toHaveLength(1);
      },
    ),
  );
});

test('2,000 nodes in a row are handled', async () => {
  const nodes = Array.from({ length: 2000 }, (_, at) =>
    node(`n${at}`, 'http_request', { url: `https://example.com/{{ input.n + ${at % 50} }}` }),
  );
  const chain = draw(nodes, ...nodes.slice(1).map((_, at) => `n${at}>n${at + 1}`));
  expect(await issuesOf(chain)).toEqual([]);
});

test('a definition names its language, inner definitions do not', async () => {
  const loop = (body: object) => draw([node('s', 'start'), node('l', 'for_each', { items: 'input', body })], 's>l');
  const body = draw([node('in', 'start')]);
  expect(await issuesOf({ ...loop(body), language: 'javascript' })).toEqual([]);
  expect(await issuesOf({ ...loop(body), language: 'jsonata' })).toEqual([]);
  expect(await fields({ ...loop(body), language: 'python' })).toEqual(['language']);
  expect(await fields({ ...loop(body), language: null })).toEqual(['language']);
  const named = { ...loop({ ...body, language: 'javascript' }), language: 'javascript' };
  expect(await fields(named)).toEqual(['nodes[1].config.body.language']);
});

test('issues inside a loop are reported with their path, missing parts as well', async () => {
  const loopOf = (body: unknown, items = 'input') =>
    draw([node('s', 'start'), node('l', 'for_each', { items, body })], 's>l');
  const inner = draw([node('in', 'start'), node('x', 'nothing'), node('h', 'http_request', { url: 1 })], 'in>gone');
  expect((await fields(loopOf(inner))).toSorted()).toEqual([
    'nodes[1].config.body.connections[0].targetNode',
    'nodes[1].config.body.nodes[1].type',
    'nodes[1].config.body.nodes[2].config.url',
  ]);
  const gaps = readinessIssues(loopOf(draw([node('h', 'http_request')]), '') as WorkflowDefinition);
  expect(gaps.map(({ field }) => field).toSorted()).toEqual([
    'nodes[1].config.body.nodes',
    'nodes[1].config.body.nodes[0].config.url',
    'nodes[1].config.items',
  ]);
  const posing = draw([
    node('l', 'for_each', { items: 'input' }),
    node('l[0].a', 'transform'),
    node('l[x].a', 'transform'),
  ]);
  expect(await fields(posing)).toEqual(['nodes[1].id']);
});

test('a prelude needs JavaScript, and nodes with names of their own', async () => {
  const named = draw([
    node('s', 'start', {}, { name: 'A' }),
    node('t', 'transform', { expression: '$json' }, { name: 'A' }),
  ]);
  const script = { ...named, language: 'javascript', prelude: 'n8n' };
  expect(await fields(script)).toEqual(['nodes[1].name']);
  expect(await fields({ ...named, prelude: 'n8n' })).toContain('prelude');
  expect(await fields({ ...named, language: 'javascript' })).toEqual([]);
  expect(await fields({ ...script, prelude: 'make' })).toEqual(['prelude']);
});
