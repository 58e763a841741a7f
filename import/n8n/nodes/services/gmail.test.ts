import { expect, test } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { startRun, storeWorkflow } from '@/server/testing/runs';
import { useWorker } from '@/server/testing/worker';
import { importN8n } from '../../convert';

useDatabase();
useWorker();

/** The parameters of the call in place of a node of Gmail. */
function gmailParameters(parameters: object): Record<string, string> {
  const position = [0, 0];
  const nodes = [
    { name: 'Go', type: 'n8n-nodes-base.manualTrigger', parameters: {}, typeVersion: 1, position },
    { name: 'Mail', type: 'n8n-nodes-base.gmail', parameters, typeVersion: 2.1, position },
  ];
  const connections = { Go: { main: [[{ node: 'Mail', type: 'main', index: 0 }]] } };
  const { definition } = importN8n({ name: 'X', nodes, connections });
  const call = definition.nodes.find(({ name }) => name === 'Mail: call');
  return call?.config['parameters'] as Record<string, string>;
}

/** What an expression of a parameter gives of an item. */
async function evaluateTemplate(text: string, input: object): Promise<unknown> {
  const position = { x: 0, y: 0 };
  const source = text.slice(text.indexOf('{{') + 2, text.lastIndexOf('}}'));
  const workflow = await storeWorkflow({
    language: 'javascript',
    prelude: 'n8n',
    nodes: [
      { id: 'start', type: 'start', position, config: {} },
      { id: 'made', type: 'transform', position, config: { expression: `({ value: ${source} })` }, each: {} },
    ],
    connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'made', targetPort: 'input' }],
  });
  const execution = await (await startRun(workflow, input, null)).finish();
  expect(execution.error).toBeNull();
  const output = execution.nodeResults.find(({ nodeId }) => nodeId === 'made')?.output ?? [];
  const [item] = output as { value: unknown }[];
  return item?.value;
}

test.each([
  ['={{ $json.at }}', { at: '2026-03-01T10:00:00Z' }],
  ['={{ $json.at }}', { at: 1_772_359_200 }],
  ['={{ $json.at }}', { at: 1_772_359_200_000 }],
  ["={{ DateTime.fromISO('2026-03-01T10:00:00Z') }}", {}],
  ['2026-03-01T10:00:00Z', {}],
])('mails are searched by the seconds of %s of %j', async (receivedAfter, item) => {
  const filters = { q: 'invoice', receivedAfter };
  const { query = '' } = gmailParameters({ operation: 'getAll', filters });
  expect(query).toMatch(/^invoice after:\{\{/);
  expect(await evaluateTemplate(query, item)).toBe(1_772_359_200);
});

test('the files that a mail attaches are those of the item by their names', async () => {
  const names = { attachmentsUi: { attachmentsBinary: [{ property: 'report,plan' }, {}] } };
  const { attachments: literal = '' } = gmailParameters({ sendTo: 'a@example.com', options: names });
  const files = { report: { file: 'r' }, plan: { file: 'p' }, data: { file: 'd' } };
  expect(await evaluateTemplate(literal, { $files: files })).toEqual([files.report, files.plan, files.data]);
});
