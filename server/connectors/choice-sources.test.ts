import { describe, expect, it } from 'vitest';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import {
  readChoiceItems,
  readItemsWithin,
  toConnectorChoice,
  type OperationChoiceSource,
  type SteppedChoiceSource,
} from './choices';
import type { ConnectorDefinition } from './connector';
import { builtInConnectors } from './index';

// Every source of every record is asked with the example answer of its operation, so that a path that the service does
// not have is found.

/** The paths of a label: those in braces, or the label itself. */
const labelPaths = (label: string): string[] =>
  label.includes('{') ? [...label.matchAll(/\{([^}]*)\}/g)].map(([, path = '']) => path) : [label];

/** The items in the example answer of the operation that a source names. */
function exampleItems({ operations }: ConnectorDefinition, source: OperationChoiceSource): unknown[] {
  const operation = operations.find(({ id }) => id === source.operation);
  if (!operation) throw new Error(`${source.operation} is no operation`);
  const own = operation.steps ? '' : (operation.items ?? '');
  const items = readChoiceItems(getAtPath(operation.example, source.items ?? own));
  if (!items) throw new Error(`The example of ${source.operation} has no list`);
  const { within } = source;
  if (!within) return items;
  const [by = ''] = within.by;
  return items.flatMap((item) => readItemsWithin(within, String(getAtPath(item, by)), items) ?? []);
}

/** The items of the first page of a source with steps, whose calls get these answers in turn. */
function steppedItems(source: SteppedChoiceSource, values: Record<string, string>, answers: readonly unknown[]) {
  const steps = source.steps({ values, search: '', page: null });
  let step = steps.next();
  for (let calls = 0; !step.done; calls += 1)
    step = steps.next({ status: 200, headers: {}, body: answers[calls] ?? {} });
  return step.value.items;
}

function expectChoices(name: string, source: OperationChoiceSource | SteppedChoiceSource, items: unknown[]) {
  const choices = items.flatMap((item) => toConnectorChoice(source, item) ?? []);
  expect(choices.length, name).toBeGreaterThan(0);
  const has = (path: string) => items.some((item) => (getAtPath(item, path) ?? undefined) !== undefined);
  const { value, label, hint, where, column } = source;
  expect(
    label.some((one) => labelPaths(one).every(has)),
    `${name}: label`,
  ).toBe(true);
  const others = [value, ...(hint === undefined ? [] : [hint]), ...(where ? [where.at] : []), column?.type ?? ''];
  expect(
    others.filter((path) => !has(path)),
    name,
  ).toEqual([]);
}

const withChoices = builtInConnectors.filter(({ choices }) => choices);

describe.each(withChoices.map((connector) => [connector.id, connector] as const))('%s', (id, connector) => {
  it.each(Object.entries(connector.choices ?? {}))('has choices of %s in the example answers', (name, source) => {
    if ('choices' in source) expect(source.choices.length).toBeGreaterThan(0);
    else if ('steps' in source) {
      const answered = ANSWERS[`${id} ${name}`];
      if (answered) expectChoices(name, source, steppedItems(source, ...answered));
      // Services may answer with less than what is documented.
      else expect(steppedItems(source, {}, [])).toBeInstanceOf(Array);
    } else expectChoices(name, source, exampleItems(connector, source));
  });
});

const driveItem = { id: '1', name: 'Leads.xlsx', webUrl: 'https://example.com/1', folder: {} };
const person = { id: '1', displayName: 'Ada', mail: 'ada@example.com', userPrincipalName: 'ada@example.com' };
const property = (fields: object) => ({ label: 'Label', type: 'string', ...fields });
const properties = { results: [property({ name: 'email' }), property({ name: 'dealstage' })] };

/** The values on which sources with steps depend, and the answers to their calls. */
const ANSWERS: Record<string, readonly [Record<string, string>, readonly unknown[]]> = {
  'google events': [{}, [{ items: [{ id: '1', summary: 'Planning', start: { dateTime: '2026-03-01T09:00:00Z' } }] }]],
  'trello labels': [{ listId: 'l' }, [{ idBoard: 'b' }, [{ id: '1', name: 'Urgent', color: 'red' }]]],
  'trello membersOfCard': [{ cardId: 'c' }, [{ idBoard: 'b' }, [{ id: '1', fullName: 'Ada', username: 'ada' }]]],
  'jira newFields': [
    { project: 'P', type: 'bug' },
    [
      { issueTypes: [{ id: '1', name: 'Bug' }], total: 1 },
      { fields: [{ fieldId: 'customfield_1', name: 'Size', schema: { type: 'number' }, required: true }], total: 1 },
    ],
  ],
  'jira changedFields': [
    { issue: 'P-1' },
    [{ fields: { customfield_1: { name: 'Size', schema: { type: 'number' } }, summary: { name: 'Summary' } } }],
  ],
  'calendly events': [
    {},
    [
      { resource: { uri: 'https://api.calendly.com/users/A' } },
      { collection: [{ uri: 'https://api.calendly.com/scheduled_events/B', name: '15 minutes', start_time: '2026' }] },
    ],
  ],
  'hubspot contactsColumns': [{}, [properties]],
  'hubspot companiesColumns': [{}, [properties]],
  'hubspot dealsColumns': [{}, [properties]],
  'hubspot ticketsColumns': [{}, [properties]],
  'hubspot columns': [{ object: 'deals' }, [properties]],
  'hubspot activityColumns': [{ kind: 'notes' }, [properties]],
  'hubspot objectTypes': [{}, [{ results: [{ objectTypeId: '2-1', name: 'cars', labels: { plural: 'Cars' } }] }]],
  'microsoft_graph people': [{}, [{ value: [person] }]],
  'microsoft_graph emailAddresses': [{}, [{ value: [person] }]],
  'microsoft_graph mailFolders': [
    {},
    [
      { value: [{ id: '1', displayName: 'Inbox', childFolderCount: 1 }] },
      { value: [{ id: '2', displayName: 'Customers' }] },
    ],
  ],
  'microsoft_graph events': [{}, [{ value: [{ id: '1', subject: 'Planning', start: { dateTime: '2026' } }] }]],
  'microsoft_graph files': [{}, [{ value: [driveItem] }]],
  'microsoft_graph folders': [{}, [{ value: [driveItem] }]],
  'microsoft_graph documents': [{ driveId: 'd' }, [{ value: [driveItem] }]],
  'microsoft_graph libraryFolders': [{ driveId: 'd' }, [{ value: [driveItem] }]],
  'microsoft_graph drives': [{}, [{ value: [driveItem] }]],
  'microsoft_graph workbooks': [{}, [{ value: [driveItem] }]],
  'microsoft_graph listColumns': [
    { siteId: 's', listId: 'l' },
    [{ value: [{ name: 'Title', displayName: 'Title', required: true, text: {} }] }],
  ],
};
