import { expect, test } from 'vitest';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { collectNodeReferences, listPickedLabels, nodeSummary } from './summary';

const call = (id: string, config: Record<string, unknown>, type = 'sub_workflow') => ({
  id,
  type,
  position: { x: 0, y: 0 },
  config,
});

test('the workflows, tables and connectors that nodes name, each once', () => {
  const nodes = [
    call('a', { workflowId: 'wf_1' }),
    call('b', { workflowId: 'wf_2' }),
    call('again', { workflowId: 'wf_1' }),
    call('unset', {}),
    call('expression', { workflowId: '{{ input.id }}' }),
    call('other', { workflowId: 'wf_3' }, 'transform'),
  ];
  nodes.push(call('t', { tableId: 'tbl_1' }, 'table'), call('u', { tableId: '{{ input.table }}' }, 'table'));
  nodes.push(call('c', { connectorId: 'conn_1' }, 'connector'), call('d', { connectorId: 'slack' }, 'connector'));
  expect(collectNodeReferences({ nodes, connections: [] })).toEqual([
    { resource: 'workflow', id: 'wf_1' },
    { resource: 'workflow', id: 'wf_2' },
    { resource: 'table', id: 'tbl_1' },
    { resource: 'connector', id: 'conn_1' },
    { resource: 'connector', id: 'slack' },
  ]);
});

test('the summary of rules leaves out their checks of types, in both languages', () => {
  const kind = {
    title: 'Condition',
    configSchema: { properties: { condition: {} } },
  } as unknown as NodeTypeDescription;
  const summary = (condition: string) => nodeSummary(call('c', { condition }, 'condition'), kind);
  expect(summary('$type(input.a) = "number" and input.a > 1')).toBe('input.a > 1');
  expect(summary('typeof input?.a === "number" && input?.a > 1')).toBe('input?.a > 1');
});

test('the summary shows what was picked, never its id', () => {
  const kind = {
    title: 'Connector',
    description: 'Calls a service.',
    configSchema: { properties: { model: { 'x-choices': {} } } },
  } as unknown as NodeTypeDescription;
  const config = { connectorId: 'slack', operation: 'messages.post', parameters: { text: 'Hi', channel: 'C024BE91L' } };
  const post = { ...call('post', config, 'connector'), labels: { 'parameters.channel': 'general', gone: 'x' } };
  expect(nodeSummary(post, kind)).toBe('general');
  expect(nodeSummary({ ...post, labels: {} }, kind)).not.toContain('C024BE91L');
  const model = { ...call('llm', { model: 'm-1' }, 'llm'), labels: { model: 'Large model' } };
  expect(nodeSummary(model, kind)).toBe('Large model');
  expect(listPickedLabels(post)).toEqual([
    { field: 'channel', label: 'general' },
    { field: 'gone', label: 'x' },
  ]);
});
