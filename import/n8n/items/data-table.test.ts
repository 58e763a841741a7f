import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { createDataTable } from '@/server/data/tables/schema';
import { createPrismaSql } from '@/server/data/tables/sql';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, storeWorkflow } from '@/server/testing/runs';
import { useWorker } from '@/server/testing/worker';
import { planN8nImport } from '../plan';

useDatabase();
useWorker();

const node = (name: string, type: string, parameters: object = {}, typeVersion = 1) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
  typeVersion,
  position: [0, 0],
});
const TABLE = { __rl: true, mode: 'list', value: 'Zy1', cachedResultName: 'People' };
const schema = [
  { id: 'name', type: 'string' },
  { id: 'age', type: 'number' },
];
const where = (...conditions: object[]) => ({ filters: { conditions }, matchType: 'allConditions' });
const columns = (value: object) => ({ columns: { mappingMode: 'defineBelow', value, schema } });

/** The plan of a workflow with one step of a data table behind items. */
function planSteps(steps: object[], items: object[]) {
  const nodes = [
    node('Go', 'manualTrigger'),
    node('Data', 'code', { jsCode: `return ${JSON.stringify(items)};` }, 2),
    ...steps.map((parameters, index) => node(`Step ${index}`, 'dataTable', { dataTableId: TABLE, ...parameters }, 1.1)),
  ];
  const connections = Object.fromEntries(
    nodes
      .slice(0, -1)
      .map(({ name }, index) => [name, { main: [[{ node: nodes[index + 1]?.name ?? '', type: 'main', index: 0 }]] }]),
  );
  return planN8nImport({ name: 'Theirs', nodes, connections });
}

/** A table of people in a workspace of its own. */
async function createPeople() {
  const stored = await storeWorkflow(flow({ s: { type: 'start' } }));
  const table = await prismaClient().$transaction((db) =>
    createDataTable(createPrismaSql(db), {
      workspaceId: stored.workspaceId,
      name: 'People',
      columns: [
        { name: 'name', type: 'text' },
        { name: 'age', type: 'number' },
        { name: 'ok', type: 'boolean' },
      ],
      createdBy: null,
    }),
  );
  return { workspaceId: stored.workspaceId, tableId: table.id };
}

/** The definition after somebody has chosen the table. */
const chooseTable = (definition: WorkflowDefinition, tableId: string): WorkflowDefinition => ({
  ...definition,
  nodes: definition.nodes.map(({ unreviewed: _, ...one }) =>
    one.type === 'table' ? { ...one, config: { ...one.config, tableId } } : one,
  ),
});

/** What the last of the steps gives, after somebody has chosen the table. */
async function runSteps(people: { workspaceId: string; tableId: string }, steps: object[], items: object[] = [{}]) {
  const { definition } = planSteps(steps, items);
  const chosen = chooseTable(definition, people.tableId);
  expect(await definitionIssues(chosen, { workspaceId: people.workspaceId })).toEqual([]);
  const execution = await (await startRun(await storeWorkflow(chosen, people.workspaceId), {}, null)).finish();
  const last = chosen.nodes.find(({ name }) => name === `Step ${steps.length - 1}`)?.id;
  return execution.error?.message ?? execution.nodeResults.find(({ nodeId }) => nodeId === last)?.output ?? [];
}

test('rows are added, found, changed and removed item by item, with values as their columns have them', async () => {
  const people = await createPeople();
  const run = (parameters: object, items?: object[]) => runSteps(people, [parameters], items);
  const insert = columns({ name: '={{ $json.who }}', age: '={{ $json.years }}' });
  const added = await run(insert, [{ who: 'Ada', years: '36' }, { who: 'Ben', years: 7 }, { who: 5 }]);
  const row = (name: string, age: number | null) => ({
    id: expect.any(String),
    name,
    age,
    ok: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  expect(added).toEqual([row('Ada', 36), row('Ben', 7), row('5', null)]);
  expect(await run({ operation: 'get' })).toEqual(added);
  const auto = { columns: { mappingMode: 'autoMapInputData' } };
  expect(await run(auto, [{ id: 1, createdAt: 'x', name: 'Cy', age: '1' }])).toEqual([row('Cy', 1)]);
  expect(await run(auto, [{ other: 1 }])).toContain('other');
  const sorted = { operation: 'get', orderBy: true, orderByColumn: 'age', orderByDirection: 'DESC', limit: 2 };
  const older = where({ keyName: 'age', condition: 'gte', keyValue: '={{ $json.least }}' });
  expect(await run({ ...sorted, ...older }, [{ least: '7' }, { least: 30 }])).toMatchObject([
    { name: 'Ada' },
    { name: 'Ben' },
    { name: 'Ada' },
  ]);
  const byName = where({ keyName: 'name', keyValue: '={{ $json.who }}' });
  expect(await run({ operation: 'get', ...byName }, [{}, { who: 'Nobody' }])).toEqual([]);
  expect(await run({ operation: 'get', ...byName }, [{ who: 'Ben' }])).toMatchObject([{ age: 7 }]);
  const items = [{ who: 'Ada' }, { who: 'Nobody' }];
  expect(await run({ operation: 'rowExists', ...byName }, items)).toEqual(items.slice(0, 1));
  expect(await run({ operation: 'rowNotExists', ...byName }, items)).toEqual(items.slice(1));
  const change = { operation: 'update', ...byName, ...columns({ age: '={{ $json.years }}' }) };
  expect(
    await run(change, [
      { who: 'Ben', years: '8' },
      { who: 'Nobody', years: 1 },
    ]),
  ).toEqual([row('Ben', 8)]);
  expect(await run({ ...change, filters: {} })).toContain('At least one condition is required');
  const put = { operation: 'upsert', ...byName, ...columns({ name: '={{ $json.who }}', age: '={{ $json.years }}' }) };
  expect(
    await run(put, [
      { who: 'Ben', years: 9 },
      { who: 'Dee', years: 4 },
    ]),
  ).toEqual([row('Ben', 9), row('Dee', 4)]);
  const none = where({ keyName: 'age', condition: 'isEmpty' });
  const gone = { operation: 'deleteRows', ...columns({}), ...none };
  expect(await run(gone)).toEqual([row('5', null)]);
  expect(await run({ operation: 'get', returnAll: true })).toHaveLength(4);
  const either = { ...where({ keyName: 'name', condition: 'like', keyValue: 'e' }, { keyName: 'age', keyValue: 36 }) };
  const any = { operation: 'get', ...either, matchType: 'anyCondition' };
  expect(await run(any)).toMatchObject([{ name: 'Ada' }, { name: 'Ben' }, { name: 'Dee' }]);
  expect(await run({ ...any, matchType: 'allConditions' })).toEqual([]);
});

interface RecordedRun {
  workflow: object;
  /** What n8n gave, without ids and times. */
  items: Record<string, object[]>;
}

test('each step of a recorded run gives what n8n gave', async () => {
  const people = await createPeople();
  const file = path.join(import.meta.dirname, 'data-tables.json');
  const { workflow, items } = JSON.parse(readFileSync(file, 'utf8')) as RecordedRun;
  const chosen = chooseTable(planN8nImport(workflow).definition, people.tableId);
  const execution = await (await startRun(await storeWorkflow(chosen, people.workspaceId), {}, null)).finish();
  expect(execution.error).toBeNull();
  const given = Object.keys(items).map((name) => {
    const id = chosen.nodes.find((one) => one.name === name)?.id;
    const output = execution.nodeResults.find(({ nodeId }) => nodeId === id)?.output as Record<string, unknown>[];
    return [name, output.map(({ id: _, createdAt: __, updatedAt: ___, ...row }) => row)];
  });
  expect(Object.fromEntries(given)).toEqual(items);
});

test('what comes behind rows reads the items that they came from', async () => {
  const people = await createPeople();
  const insert = columns({ name: '={{ $json.who }}' });
  const mark = {
    operation: 'update',
    ...where({ keyName: 'name', keyValue: "={{ $('Data').item.json.who }}" }),
    ...columns({ age: 2 }),
  };
  expect(await runSteps(people, [insert, mark], [{ who: 'Ada' }, { who: 'Ben' }])).toMatchObject([
    { name: 'Ada', age: 2 },
    { name: 'Ben', age: 2 },
  ]);
});

test('the table is to choose, and what no table does is said', () => {
  const report = (parameters: object) => {
    const { light, record, definition } = planSteps([parameters], [{}]);
    const said = record.report.filter(({ kind }) => kind !== 'know');
    const marks = definition.nodes.flatMap(({ unreviewed = [] }) => unreviewed.map(({ field }) => field));
    return [light, said.map(({ kind, message }) => `${kind}: ${message}`), marks];
  };
  const choose = 'choose: Choose its table “People”.';
  expect(report(columns({ name: 'Ada' }))).toEqual([
    'green',
    ['choose: Choose its table “People”, with the columns name (text), age (number).'],
    ['config.tableId'],
  ]);
  expect(report({ operation: 'get', ...where({ keyName: 'id', keyValue: '={{ $json.id }}' }) })).toEqual([
    'green',
    [choose],
    ['config.tableId'],
  ]);
  expect(report({})[1]).toEqual(['choose: Enter the values of its row.', choose]);
  const found = (condition: object) => report({ operation: 'get', ...where(condition) });
  expect(found({ keyName: 'id', keyValue: '3' })[1]).toEqual([
    choose,
    'check: Check its condition on the id: ids are texts here.',
  ]);
  expect(found({ keyName: 'name', condition: 'ilike', keyValue: 'a' })[0]).toBe('yellow');
  expect(found({ keyName: 'name', condition: 'isEmpty' })[0]).toBe('yellow');
  expect(report({ operation: 'update', options: { dryRun: true } })[0]).toBe('red');
  expect(report({ resource: 'table', operation: 'create' })[0]).toBe('red');
  const either = {
    ...where({ keyName: 'name', keyValue: 'a' }, { keyName: 'age', keyValue: 1 }),
    matchType: 'anyCondition',
  };
  expect(report({ operation: 'upsert', ...either, ...columns({ name: 'a' }) })[0]).toBe('red');
});
