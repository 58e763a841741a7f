import { expect, test } from 'vitest';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { useDatabase } from '@/server/testing/database';
import { startRun, storeWorkflow } from '@/server/testing/runs';
import { useWorker } from '@/server/testing/worker';
import { importN8n } from '../convert';

useDatabase();
useWorker();

test('items whose value was seen in a run before leave by the second output', async () => {
  const node = (name: string, type: string, parameters: object = {}, typeVersion = 2) => ({
    name,
    type: `n8n-nodes-base.${type}`,
    parameters,
    typeVersion,
    position: [0, 0],
  });
  const link = (name: string) => [{ node: name, type: 'main', index: 0 }];
  const jsCode = 'return $input.first().json.ids.map((id) => ({ json: { id } }));';
  const parameters = { operation: 'removeItemsSeenInPreviousExecutions', dedupeValue: '={{ $json.id }}', options: {} };
  const nodes = [
    node('Go', 'manualTrigger', {}, 1),
    node('Data', 'code', { jsCode }),
    node('Once {{', 'removeDuplicates', parameters),
    node(
      'New',
      'set',
      { assignments: { assignments: [{ name: 'id', value: "={{ $('Data').item.json.id }}", type: 'string' }] } },
      3.4,
    ),
    node('Old', 'noOp', {}, 1),
  ];
  const connections = {
    Go: { main: [link('Data')] },
    Data: { main: [link('Once {{')] },
    'Once {{': { main: [link('New'), link('Old')] },
  };
  const { definition, report } = importN8n({ name: 'Theirs', nodes, connections });
  expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
  expect(report.find(({ node: name }) => name === 'Once {{')?.outcome).toBe('partly');
  const workflow = await storeWorkflow(definition);
  const run = async (ids: string[]) => {
    const execution = await (await startRun(workflow, { ids }, null)).finish();
    expect(execution.error).toBeNull();
    const items = (name: string) => {
      const id = definition.nodes.find((one) => one.name === name)?.id;
      return execution.nodeResults.find(({ nodeId }) => nodeId === id)?.output ?? [];
    };
    return [items('New'), items('Old')];
  };
  expect(await run(['a', 'b'])).toEqual([[{ id: 'a' }, { id: 'b' }], []]);
  expect(await run(['b', 'c'])).toEqual([[{ id: 'c' }], [{ id: 'b' }]]);
});

test('code keeps data between runs', async () => {
  const node = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
    name,
    type: `n8n-nodes-base.${type}`,
    parameters,
    typeVersion: 2,
    position: [0, 0],
    ...more,
  });
  const link = (name: string) => [{ node: name, type: 'main', index: 0 }];
  const jsCode = `const kept = $getWorkflowStaticData('global');
    kept.total = (kept.total ?? 0) + $input.all().length;
    return $input.all().map(({ json }) => ({ json: { ...json, total: kept.total } }));`;
  const each =
    "const kept = $getWorkflowStaticData('node'); kept.n = (kept.n ?? 0) + 1; return { ...$json, n: kept.n };";
  const nodes = [
    node('Go', 'manualTrigger'),
    node('Data', 'code', { jsCode: 'return [{ id: 1 }, { id: 2 }];' }),
    node('Count', 'code', { jsCode }),
    node('Each', 'code', { jsCode: each, mode: 'runOnceForEachItem' }),
  ];
  const connections = {
    Go: { main: [link('Data')] },
    Data: { main: [link('Count')] },
    Count: { main: [link('Each')] },
  };
  const { definition, report } = importN8n({ name: 'Theirs', nodes, connections });
  expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
  expect(report.map(({ outcome }) => outcome)).toEqual(['converted', 'converted', 'converted', 'converted']);
  const workflow = await storeWorkflow(definition);
  const run = async () => {
    const execution = await (await startRun(workflow, {}, null)).finish();
    expect(execution.error).toBeNull();
    return execution.output;
  };
  expect(await run()).toEqual([
    { id: 1, total: 2, n: 1 },
    { id: 2, total: 2, n: 2 },
  ]);
  expect(await run()).toEqual([
    { id: 1, total: 4, n: 3 },
    { id: 2, total: 4, n: 4 },
  ]);
});
