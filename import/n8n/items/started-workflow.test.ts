import { expect, test } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { useDatabase } from '@/server/testing/database';
import { startRun, storeWorkflow } from '@/server/testing/runs';
import { useWorker } from '@/server/testing/worker';
import { importN8n } from '../convert';

useDatabase();
useWorker();

const CALLED: WorkflowDefinition = {
  nodes: [{ id: 'begin', type: 'start', position: { x: 0, y: 0 }, config: {} }],
  connections: [],
};
const node = (name: string, type: string, parameters: object = {}, typeVersion = 1) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
  typeVersion,
  position: [0, 0],
});

/** The workflow that starts another one by its second node, which does not wait for it. */
function importCaller(parameters: object, workflowId: string, code = 'return $input.all();') {
  const nodes = [
    node('Go', 'manualTrigger'),
    node('Data', 'code', { jsCode: 'return [{ a: 1, b: 2 }, { a: 3, b: 4 }];' }, 2),
    node(
      'Start',
      'executeWorkflow',
      { workflowId: 'their', options: { waitForSubWorkflow: false }, ...parameters },
      1.2,
    ),
    node('End', 'code', { jsCode: code }, 2),
  ];
  const link = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
  const connections = { Go: link('Data'), Data: link('Start'), Start: link('End') };
  return importN8n({ name: 'Caller', nodes, connections }, new Map([['their', { workflowId, startNodeId: null }]]));
}

const INPUTS = { workflowInputs: { mappingMode: 'defineBelow', value: { x: '={{ $json.a }}' } } };
test.each([
  [
    {},
    [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ],
  ],
  [
    { mode: 'each' },
    [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ],
  ],
  [INPUTS, [{ x: 1 }, { x: 3 }]],
  [{ ...INPUTS, mode: 'each' }, [{ x: 1 }, { x: 3 }]],
])('what starts a workflow without waiting gives what it sent: %j', async (parameters, expected) => {
  const called = await storeWorkflow(CALLED);
  const { definition, report } = importCaller(parameters, called.workflowId);
  expect(report.map(({ outcome }) => outcome)).toEqual(['converted', 'converted', 'converted', 'converted']);
  const execution = await (await startRun(await storeWorkflow(definition, called.workspaceId), {}, null)).finish();
  expect([execution.error, execution.output]).toEqual([null, expected]);
});

test('items that are read behind it by those before it are to check', () => {
  const { report } = importCaller({}, 'wf_1', "return $input.all().map((item, i) => $('Data').itemMatching(i));");
  expect(report.find((one) => one.node === 'Start')?.message).toContain('cannot be traced');
});
