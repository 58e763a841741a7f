import { expect, it } from 'vitest';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { importServiceNode } from './testing/import-service-node';

const importCall = (parameters: object) => importServiceNode('n8n-nodes-base.baserow', parameters);

const row = (fieldId: unknown, fieldValue: unknown) => ({ fieldId, fieldValue });

const CALLS: [object, string, object][] = [
  [{ tableId: 607, databaseId: 1, additionalOptions: {} }, 'rows.list', { table: '607', limit: 50 }],
  [
    {
      tableId: 607,
      returnAll: true,
      additionalOptions: {
        filters: { fields: [{ field: 12, operator: 'contains', value: '={{ $json.word }}' }] },
        filterType: 'OR',
        search: 'x',
        order: { fields: [{ field: 12, direction: '-' }, { field: '13' }] },
      },
    },
    'rows.list',
    {
      table: '607',
      conditions: { field_12__contains: '{{ ($json.word).toString().trim() }}' },
      matchesAny: true,
      search: 'x',
      order: '-field_12,field_13',
    },
  ],
  [
    { operation: 'get', tableId: '={{ $json.t }}', rowId: '={{ $json.id }}' },
    'rows.get',
    { table: '{{ ($json.t)?.toString() }}', row: '{{ ($json.id)?.toString() }}' },
  ],
  [
    { operation: 'create', tableId: 607, fieldsUi: { fieldValues: [row(5870, '={{ $json.a }}'), row('5871', 'b')] } },
    'rows.create',
    { table: '607', values: { field_5870: '{{ $json.a }}', field_5871: 'b' } },
  ],
  [
    { operation: 'update', tableId: 607, rowId: '1', dataToSend: 'autoMapInputData', inputsToIgnore: 'id, x' },
    'rows.update',
    {
      table: '607',
      row: '1',
      values: '{{ Object.fromEntries(Object.entries($json).filter(([name]) => !["id","x"].includes(name))) }}',
    },
  ],
  [
    { operation: 'create', tableId: 607, dataToSend: 'autoMapInputData' },
    'rows.create',
    { table: '607', values: '{{ $json }}' },
  ],
  [{ operation: 'delete', tableId: 607, rowId: '1' }, 'rows.delete', { table: '607', row: '1' }],
];

it.each(CALLS)('%j becomes %s with %j', async (parameters, operation, expected) => {
  const { definition, call, expression, message } = importCall(parameters);
  expect(call).toEqual({ connectorId: 'baserow', operation, parameters: expected });
  expect(message).toContain('Choose an account of Baserow.');
  expect(expression.includes('shape: () => ({ success: true })')).toBe(operation === 'rows.delete');
  expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
});

const filtered = (field: object) => ({ tableId: 1, additionalOptions: { filters: { fields: [field] } } });

it.each([
  [filtered({ field: 12, operator: 'date_is', value: '2026-01-31' }), 'Check its conditions'],
  [filtered({ field: '={{ $json.f }}', operator: 'equal', value: '1' }), 'Check its conditions'],
  [{ operation: 'create', tableId: 1, fieldsUi: { fieldValues: [row('={{ $json.f }}', 'x')] } }, 'Enter the fields'],
  [{}, 'Choose its table'],
  [{ operation: 'batchCreate', tableId: 1 }, 'has no “row.batchCreate”'],
])('what is not the same is to do: %j', (parameters, task) => {
  expect(importCall(parameters).message).toContain(task);
});
