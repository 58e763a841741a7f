import { expect, test } from 'vitest';
import { importN8n } from '../../convert';

type Link = [from: string, to: string, output?: number, input?: number];

const node = (name: string, type: string, parameters: object = {}, typeVersion = 2) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
  typeVersion,
  position: [0, 0],
});
const START = node('Start', 'manualTrigger', {}, 1);
const MANY = node('Many', 'code', { jsCode: 'return items.concat(items);' });
const ONE = node('One', 'code', {
  jsCode: 'const found = items.map((one) => { return [one, one]; });\nreturn [{ json: { found } }];',
});
const CHOOSE = node('Choose', 'if', { conditions: {} }, 2.2);
const JOIN = node('Join', 'code', { jsCode: 'return [{ json: { count: items.length } }];' });

/** The names of the nodes for which the report says that n8n runs them several times. */
function findSeveralRuns(nodes: object[], links: Link[]): string[] {
  const connections: Record<string, { main: object[][] }> = {};
  for (const [from, to, output = 0, input = 0] of links) {
    const { main } = (connections[from] ??= { main: [] });
    while (main.length <= output) main.push([]);
    main[output]?.push({ node: to, type: 'main', index: input });
  }
  const { report } = importN8n({ name: 'Theirs', nodes, connections });
  return report.flatMap(({ node: name, message }) =>
    /n8n runs (?:it|that) (?:once for|more)/.test(message) ? [name] : [],
  );
}

const BRANCHES: Link[] = [
  ['Choose', 'Yes'],
  ['Choose', 'No', 1],
  ['Yes', 'Join'],
  ['No', 'Join'],
];
const SETS = [node('Yes', 'set', {}, 3), node('No', 'set', {}, 3)];

test('one item takes one of two branches: what joins them runs once', () => {
  const given = [START, ONE, CHOOSE, ...SETS, JOIN];
  expect(findSeveralRuns(given, [['Start', 'One'], ['One', 'Choose'], ...BRANCHES])).toEqual([]);
});

test('of several items each may take another branch', () => {
  const given = [START, MANY, CHOOSE, ...SETS, JOIN, node('After', 'aggregate', {}, 1), node('Told', 'set', {}, 3)];
  const links: Link[] = [['Start', 'Many'], ['Many', 'Choose'], ...BRANCHES, ['Join', 'After'], ['After', 'Told']];
  expect(findSeveralRuns(given, links)).toEqual(['Join', 'After']);
  const reads = {
    assignments: { assignments: [{ name: 'n', type: 'number', value: "={{ $('Join').first().json.count }}" }] },
  };
  const reading = [...given.slice(0, -1), node('Told', 'set', reads, 3.4)];
  expect(findSeveralRuns(reading, links)).toEqual(['Join', 'After', 'Told']);
});

test('code that runs for each item, a node that is switched off, and pages of a request give several items', () => {
  const each = node('One', 'code', { mode: 'runOnceForEachItem', jsCode: 'return { json: { a: 1 } };' });
  const off = { ...node('One', 'aggregate', {}, 1), disabled: true };
  const links: Link[] = [['Start', 'Many'], ['Many', 'One'], ['One', 'Choose'], ...BRANCHES];
  expect(findSeveralRuns([START, MANY, each, CHOOSE, ...SETS, JOIN], links)).toEqual(['Join']);
  expect(findSeveralRuns([START, MANY, off, CHOOSE, ...SETS, JOIN], links)).toEqual(['Join']);
  const request = (options: object) =>
    node('One', 'httpRequest', { options: { response: { response: { fullResponse: true } }, ...options } }, 4.2);
  const asking: Link[] = [['Start', 'One'], ['One', 'Choose'], ...BRANCHES];
  expect(findSeveralRuns([START, request({}), CHOOSE, ...SETS, JOIN], asking)).toEqual([]);
  const paged = request({ pagination: { pagination: {} } });
  expect(findSeveralRuns([START, paged, CHOOSE, ...SETS, JOIN], asking)).toEqual(['Join']);
});

test('branches that run beside each other join twice', () => {
  const given = [START, ...SETS, JOIN];
  const links: Link[] = [
    ['Start', 'Yes'],
    ['Start', 'No'],
    ['Yes', 'Join'],
    ['No', 'Join'],
  ];
  expect(findSeveralRuns(given, links)).toEqual(['Join']);
  expect(findSeveralRuns([START, ...SETS, node('Join', 'set', {}, 3)], links)).toEqual([]);
});

test('a run begins at one of several triggers', () => {
  const given = [START, node('Hourly', 'scheduleTrigger', {}, 1), JOIN];
  expect(
    findSeveralRuns(given, [
      ['Start', 'Join'],
      ['Hourly', 'Join'],
    ]),
  ).toEqual([]);
});

test('a merge waits for both branches', () => {
  const given = [START, ...SETS, node('Merge', 'merge', {}, 3), JOIN];
  const links: Link[] = [
    ['Start', 'Yes'],
    ['Start', 'No'],
    ['Yes', 'Merge'],
    ['No', 'Merge', 0, 1],
    ['Merge', 'Join'],
  ];
  expect(findSeveralRuns(given, links)).toEqual([]);
});

test('one item leaves a circle once, several leave it in several rounds', () => {
  const rest: Link[] = [
    ['Wait', 'Choose'],
    ['Choose', 'Join'],
    ['Choose', 'Wait', 1],
  ];
  const wait = node('Wait', 'wait', { amount: 1 }, 1.1);
  expect(findSeveralRuns([START, wait, CHOOSE, JOIN], [['Start', 'Wait'], ...rest])).toEqual([]);
  expect(findSeveralRuns([START, MANY, wait, CHOOSE, JOIN], [['Start', 'Many'], ['Many', 'Wait'], ...rest])).toEqual([
    'Join',
  ]);
});

test('batches of one item are one item', () => {
  const loop = (parameters: object) => node('Loop', 'splitInBatches', parameters, 3);
  const links: Link[] = [['Start', 'Many'], ['Many', 'Loop'], ['Loop', 'Choose', 1], ...BRANCHES, ['Join', 'Loop']];
  expect(findSeveralRuns([START, MANY, loop({}), CHOOSE, ...SETS, JOIN], links)).toEqual([]);
  expect(findSeveralRuns([START, MANY, loop({ batchSize: 5 }), CHOOSE, ...SETS, JOIN], links)).toEqual(['Join']);
});
