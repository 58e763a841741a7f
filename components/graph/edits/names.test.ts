import { describe, expect, it } from 'vitest';
import { indexNodeTypes } from '../cards-and-edges';
import { findNameMentions, closestName, findUnknownNames } from './unknown-names';
import { draw, kind, node, START } from '../testing/graph';

const configSchema = {
  properties: {
    items: { 'x-expression': true },
    source: { 'x-literal': true, 'x-editor': 'javascript' },
    body: { 'x-literal': true },
  },
};
const catalogue = indexNodeTypes([START, kind('step', {}, { configSchema }), kind('for_each', {}, { configSchema })]);

describe('names in a source', () => {
  it.each([
    ['nodes.fetch.body & vars.REGION', ['nodes fetch', 'vars REGION']],
    ['nodes.`get it`.id + nodes."get-it".id', ['nodes get it', 'nodes get-it']],
    ['nodes["a"].b + nodes?.c + nodes [ \'d\' ]', ['nodes a', 'nodes c', 'nodes d']],
    ['input.nodes.a & $nodes.b & "nodes.c" & /* nodes.d */ 1', []],
    ['nodes[id]; $lookup(vars, "A")', []],
  ])('%s', (source, names) => {
    expect(findNameMentions(source).map(({ root, name }) => `${root} ${name}`)).toEqual(names);
  });
});

it('the nearest name is one that a slip would miss', () => {
  expect(closestName('fecth', ['start', 'fetch', 'send'])).toBe('fetch');
  expect(closestName('REGIO', ['REGION', 'LIMIT'])).toBe('REGION');
  expect(closestName('invoice', ['fetch', 'send'])).toBeUndefined();
});

describe('unknown names', () => {
  const body = draw(
    [node('in', {}, { type: 'start' }), node('work', { a: '{{ nodes.fetch.id }} {{ nodes.inn }}' })],
    'in>work',
  );
  const definition = draw([
    node('s', {}, { type: 'start' }),
    node('fetch', { url: 'nodes.nowhere {{ vars.HOST }}' }),
    node('shape', { items: 'nodes.fetsh.body', more: [{ deep: '{{ vars.HOTS }}' }] }),
    node('program', { source: 'return nodes.fetch.id + nodes.later' }),
    node('loop', { body }, { type: 'for_each' }),
  ]);
  const variables = new Set(['HOST']);

  it('are found in expressions, templates and code, not in plain text', () => {
    expect(findUnknownNames(definition, [], catalogue, variables)).toEqual(
      new Map([
        [
          'shape',
          [
            { message: 'There is no node “fetsh” here. Did you mean “fetch”?', field: 'config.items' },
            { message: 'There is no variable “HOTS”. Did you mean “HOST”?', field: 'config.more[0].deep' },
          ],
        ],
        ['program', [{ message: 'There is no node “later” here.', field: 'config.source' }]],
      ]),
    );
  });

  it('are found in the list of each, in expressions that a node evaluates itself, and in tools', () => {
    const pagination = { next: { 'x-expression': true, 'x-literal': true, 'x-scope': ['input'] }, kind: {} };
    const own = indexNodeTypes([
      START,
      kind(
        'filter',
        {},
        { configSchema: { properties: { where: { 'x-expression': true, 'x-scope': ['item', 'index'] } } } },
      ),
      kind('pages', {}, { configSchema: { properties: { pages: { 'x-literal': true, properties: pagination } } } }),
      kind('agent', {}, { configSchema: { properties: { tools: { 'x-literal': true } } } }),
    ]);
    const tool = { name: 'look', type: 'filter', config: { url: '{{ nodes.fetsh }}' } };
    const drawn = draw([
      node('fetch', {}, { type: 'start' }),
      {
        ...node('one', { where: 'item.nodes.a = nodes.fetch.b' }, { type: 'filter' }),
        each: { items: '{{ nodes.fetsh.rows }}' },
      },
      node('two', { pages: { kind: 'nodes.x', next: 'input.next & vars.HOST' } }, { type: 'pages' }),
      node('ask', { tools: [tool] }, { type: 'agent' }),
    ]);
    const misspelt = 'There is no node “fetsh” here. Did you mean “fetch”?';
    expect(findUnknownNames(drawn, [], own, variables)).toEqual(
      new Map([
        [
          'one',
          [
            { message: 'This field knows item and index, not “nodes.fetch”.', field: 'config.where' },
            { message: misspelt, field: 'each.items' },
          ],
        ],
        ['two', [{ message: 'This field knows input, not “vars.HOST”.', field: 'config.pages.next' }]],
        ['ask', [{ message: misspelt, field: 'config.tools[0].config.url' }]],
      ]),
    );
  });

  it('inside a loop the nodes around it are known', () => {
    expect(findUnknownNames(definition, ['loop'], catalogue, variables)).toEqual(
      new Map([['work', [{ message: 'There is no node “inn” here. Did you mean “in”?', field: 'config.a' }]]]),
    );
  });

  it('variables that could not be read are not checked', () => {
    expect([...findUnknownNames(definition, [], catalogue, undefined).keys()]).toEqual(['shape', 'program']);
    expect(findUnknownNames(definition, [], catalogue, undefined).get('shape')).toHaveLength(1);
  });
});
