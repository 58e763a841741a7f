import { expect, it } from 'vitest';
import { planN8nImport } from '../plan';

const link = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });

/** The plan of a file with one node behind a manual trigger. */
function planNode(type: string, parameters: object, typeVersion: number) {
  const position = [0, 0];
  const nodes = [
    { name: 'Go', type: 'n8n-nodes-base.manualTrigger', parameters: {}, typeVersion: 1, position },
    { name: 'Act', type, parameters, typeVersion, position },
  ];
  const { light, definition, record } = planN8nImport({ name: 'X', nodes, connections: { Go: link('Act') } });
  const found = record.report.filter(({ kind }) => kind === 'choose' || kind === 'check');
  return {
    light,
    definition,
    found: found.map(({ kind, field, message }) => [kind, field, message]),
    marks: definition.nodes.flatMap(({ name, unreviewed = [] }) => unreviewed.map(({ field }) => [name, field])),
  };
}

const BASE = 'n8n-nodes-base';
const pick = (value: string, mode = 'list') => ({ __rl: true, mode, value });

it.each<[string, object, number, string, string, string]>([
  [
    `${BASE}.googleSheets`,
    { documentId: pick('1A') },
    4.5,
    'Act: call',
    'config.parameters.sheet',
    'Enter the name of its sheet.',
  ],
  [
    `${BASE}.googleSheets`,
    { documentId: pick(''), sheetName: pick('Leads', 'name') },
    4.5,
    'Act: call',
    'config.parameters',
    'Choose its document.',
  ],
  [
    `${BASE}.googleSheets`,
    {
      operation: 'update',
      documentId: pick('1A'),
      sheetName: pick('Leads', 'name'),
      columns: { mappingMode: 'defineBelow', value: { Name: 'a' }, matchingColumns: [] },
    },
    4.5,
    'Act: call',
    'config.parameters.key',
    'Enter the column that identifies its row.',
  ],
  [
    `${BASE}.googleSheets`,
    { operation: 'append', documentId: pick('1A'), sheetName: pick('Leads', 'name') },
    4.5,
    'Act: call',
    'config.parameters.row',
    'Enter the values that it sends.',
  ],
  [`${BASE}.emailSend`, { subject: 'Hi' }, 2.1, 'Act: call', 'config.to', 'Enter whom it is sent to.'],
  [`${BASE}.executeWorkflow`, { workflowId: pick('') }, 1.2, 'Act', 'config.workflowId', 'Choose its workflow.'],
  [
    `${BASE}.executeWorkflow`,
    { workflowId: { ...pick('w1'), cachedResultName: 'Tell' } },
    1.2,
    'Act',
    'config.workflowId',
    'Import the workflow “Tell”, too, or choose another.',
  ],
  [`${BASE}.postgres`, {}, 2.5, 'Act: call', 'config.statement', 'Write its statement.'],
  [`${BASE}.code`, {}, 2, 'Act', 'config.source', 'Write its code.'],
  [`${BASE}.telegram`, { text: 'Hi' }, 1.2, 'Act: call', 'config.parameters.chat', 'Enter its chat.'],
  [`${BASE}.rssFeedRead`, { url: '' }, 1, 'Act: call', 'config.url', 'Enter its address.'],
  [`${BASE}.httpRequest`, {}, 4.2, 'Act: call', 'config.url', 'Enter its URL.'],
  [
    '@n8n/n8n-nodes-langchain.openAi',
    { messages: { values: [{ content: 'Hi' }] } },
    1.8,
    'Act: call',
    'config.model',
    'Choose a model of OpenAI.',
  ],
])(
  '%s: what is empty in the file is to fill, and blocks publishing until then',
  (type, given, version, ...expected) => {
    const [node, field, message] = expected;
    const { light, found, marks } = planNode(type, given, version);
    expect(found).toEqual([['choose', field, message]]);
    expect(light).toBe('green');
    expect(marks).toEqual([[node, field]]);
  },
);

it.each<[string, object, number, string]>([
  [
    `${BASE}.googleSheets`,
    { documentId: pick('1A'), sheetName: pick('={{ $json.address }}', 'url') },
    4.5,
    'Enter the name of its sheet.',
  ],
  [`${BASE}.executeWorkflow`, { workflowId: pick('={{ $json.id }}', 'id') }, 1.2, 'Choose its workflow.'],
  [`${BASE}.executeWorkflow`, { source: 'parameter' }, 1.2, 'Choose its workflow.'],
  [`${BASE}.postgres`, { table: pick('people'), operation: 'upsert' }, 2.5, 'Write its statement.'],
])('%s: what the file has and is not carried over is to check', (type, given, version, message) => {
  const { light, found } = planNode(type, given, version);
  expect(found).toEqual([['check', null, message]]);
  expect(light).toBe('yellow');
});

it.each([
  [pick('gid=7'), 'gid=7'],
  [pick('7', 'id'), 'gid=7'],
  [pick('={{ $json.sheet }}', 'id'), 'gid={{ $json.sheet }}'],
  [pick('https://docs.google.com/spreadsheets/d/1A/edit#gid=7', 'url'), 'gid=7'],
  [pick('2024', 'name'), '2024'],
  [{ ...pick('gid=7'), cachedResultName: 'Leads' }, 'Leads'],
])('the sheet %j is “%s”', (sheetName, sheet) => {
  const { light, definition, found } = planNode(`${BASE}.googleSheets`, { documentId: pick('1A'), sheetName }, 4.5);
  const call = definition.nodes.find(({ name }) => name === 'Act: call');
  expect(call?.config).toMatchObject({ parameters: { spreadsheet: '1A', sheet } });
  expect([light, found]).toEqual(['green', []]);
});
