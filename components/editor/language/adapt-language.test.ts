import { notifications } from '@mantine/notifications';
import { afterEach, expect, test } from 'vitest';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { indexNodeTypes } from '@/components/graph/cards-and-edges';
import { parseClipboard, selectionToJson } from '@/components/graph/edits/clipboard';
import { START, kind } from '@/components/graph/testing/graph';
import { adaptLanguage } from './adapt-language';

const transform: NodeTypeDescription = {
  ...kind('transform'),
  configSchema: { properties: { expression: { 'x-expression': true } } },
};
const catalogue = indexNodeTypes([START, transform]);
const holding = (expression: string): WorkflowDefinition => ({
  nodes: [{ id: 't', type: 'transform', position: { x: 0, y: 0 }, config: { expression } }],
  connections: [],
});
const copied = async (definition: WorkflowDefinition, language: 'jsonata' | 'javascript') =>
  (await parseClipboard(selectionToJson(definition, new Set(['t']), language))) as WorkflowDefinition;

afterEach(() => notifications.clean());

test('what is copied names its language, and is converted where it is pasted', async () => {
  const own = await copied(holding('input.a'), 'javascript');
  expect(own.language).toBe('javascript');
  expect(await adaptLanguage(own, 'javascript', catalogue)).toBe(own);
  const other = await adaptLanguage(await copied(holding('input.a'), 'jsonata'), 'javascript', catalogue);
  expect(other?.nodes[0]).toMatchObject({
    config: { expression: 'input?.a' },
    unreviewed: [{ field: 'config.expression', language: 'jsonata', source: 'input.a' }],
  });
  // A definition that names no language is in JSONata.
  expect((await adaptLanguage(holding('"x" & "y"'), 'javascript', catalogue))?.nodes[0]?.config).toEqual({
    expression: '"x" + "y"',
  });
});

test('what can’t be converted is not pasted', async () => {
  expect(await adaptLanguage(holding('input^(a)'), 'javascript', catalogue)).toBeUndefined();
  const statements = await copied(holding('const x = 1; return x'), 'javascript');
  expect(await adaptLanguage(statements, 'jsonata', catalogue)).toBeUndefined();
});
