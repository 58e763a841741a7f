import { EXPRESSION_LANGUAGES } from '@/contract/workflows/expression-language';
import { expect, test } from 'vitest';
import { builtInConnectors } from '@/server/connectors';
import { describeOperations } from '@/server/connectors/catalogue';
import { listPublicNodeTypes } from '@/server/workflow/nodes';
import { briefNodeCatalogue, describeNodeType, describeConnectorOperation } from './catalogue';
import { builderInstructions } from './instructions';
import { searchNodes } from './search';

const NOTHING = {
  credentials: [],
  tables: [],
  workflows: [],
  connectors: [],
  triggers: [],
  variables: [],
  shapes: null,
};

test.each(listPublicNodeTypes().map((type) => [type.type, type] as const))(
  '%s is told with all fields and ports',
  async (_, type) => {
    const { properties = {}, required = [] } = type.configSchema as { properties?: object; required?: string[] };
    const entry = briefNodeCatalogue()
      .split(/\n(?=\w)/)
      .find((text) => text.startsWith(`${type.type} (`))!;
    const full = (await describeNodeType(type.type))!;
    for (const name of Object.keys(properties)) {
      const mark = required.includes(name) ? `  ${name}* ` : `  ${name} `;
      expect(entry).toContain(mark);
      expect(full).toContain(mark);
    }
    for (const port of type.ports.outputs) expect(entry.split('\n')[0]).toContain(port);
    expect(full.length).toBeLessThan(16_000);
  },
);

test.each(EXPRESSION_LANGUAGES)('the instructions for %s stay small, and name no other language', (language) => {
  const text = builderInstructions(NOTHING, language);
  const own = language === 'javascript' ? 'written in JavaScript' : 'written in JSONata';
  expect(text.match(/This workflow is written in \w+/g)).toEqual([`This workflow is ${own}`]);
  expect(text.length).toBeLessThan(32_000);
  for (const { id } of builtInConnectors) expect(text).toContain(id);
  expect(text).not.toMatch(/\[object Object/);
});

test('every operation of a connector is told within the limit of a result', () => {
  for (const connector of builtInConnectors)
    for (const { id } of describeOperations(connector)) {
      const told = describeConnectorOperation(connector.id, id)!;
      expect(told.length, `${connector.id} ${id}`).toBeLessThan(16_000);
      expect(told).toContain(`"operation": "${id}"`);
    }
  expect([
    describeConnectorOperation('slack', 'nothing'),
    describeConnectorOperation('unknown', 'messages.post'),
  ]).toEqual([undefined, undefined]);
});

test.each([
  ['send a slack message', 'operation messages.post of connector slack'],
  ['loop over items', 'node for_each'],
  ['if', 'node condition'],
  ['append row google sheets', 'operation sheets.append'],
  ['github create issue', 'operation issues.create of connector github'],
])('a search for "%s" finds it among the first', (query, line) => {
  expect(
    searchNodes(query)
      .slice(0, 5)
      .some((one) => one.startsWith(line)),
    searchNodes(query).join('\n'),
  ).toBe(true);
});

test('a search without a word finds nothing, and a long one ends', () => {
  expect(searchNodes('! ?')).toEqual([]);
  expect(searchNodes('slack '.repeat(30)).length).toBeLessThanOrEqual(15);
});
