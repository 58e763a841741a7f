import { describe, expect, test } from 'vitest';
import { builtInConnectors } from '@/server/connectors';
import { describeEvents, describeOperations } from '@/server/connectors/catalogue';
import { listPublicNodeTypes } from './index';

/** What people pick in place of an id, by service: the sources that list each kind of thing. */
const THINGS: Record<string, Record<string, string[]>> = {
  slack: { channels: ['channels'], users: ['users'] },
  google: {
    spreadsheets: ['spreadsheets'],
    sheets: ['sheets'],
    columns: ['columns'],
    folders: ['folders'],
    files: ['files', 'filesAndFolders', 'documents'],
    calendars: ['calendars'],
    labels: ['labels'],
    emails: ['messages', 'threads', 'drafts'],
  },
  microsoft_graph: {
    drives: ['drives', 'libraries'],
    folders: ['folders', 'libraryFolders'],
    'mail folders': ['mailFolders'],
    teams: ['teams'],
    channels: ['channels'],
    calendars: ['calendars'],
    emails: ['messages', 'attachments'],
    'messages of Teams': ['channelMessages', 'chatMessages'],
  },
  airtable: {
    bases: ['bases'],
    tables: ['tables'],
    fields: ['fields', 'columns'],
    views: ['views'],
    records: ['records'],
  },
  notion: {
    databases: ['databases'],
    pages: ['pages'],
    properties: ['properties', 'columns'],
    'options of properties': ['property_options'],
  },
  github: {
    owners: ['owners'],
    repositories: ['repositories'],
    branches: ['branches'],
    labels: ['labels'],
    users: ['assignees', 'users'],
    workflows: ['workflows'],
    files: ['files', 'folders'],
  },
  gitlab: {
    owners: ['groups'],
    repositories: ['projects'],
    branches: ['branches'],
    labels: ['labels'],
    users: ['members'],
  },
  jira: {
    projects: ['projects'],
    types: ['issueTypes'],
    statuses: ['transitions'],
    users: ['users', 'assignableUsers'],
    fields: ['newFields', 'changedFields', 'fields'],
  },
  hubspot: {
    'pipelines, stages and properties': ['dealsColumns', 'ticketsColumns', 'properties'],
    owners: ['owners'],
    'records of lists': ['recordsForList'],
  },
  salesforce: { objects: ['objects'], fields: ['columns', 'changed_columns'] },
  dynamics365: { objects: ['tables'], fields: ['fields', 'account_columns'] },
  sap: { fields: ['business_partner_fields', 'business_partner_columns', 'sales_order_columns', 'product_fields'] },
  trello: {
    workspaces: ['workspaces'],
    boards: ['boards'],
    lists: ['lists'],
    members: ['members', 'membersOfCard'],
    labels: ['labels', 'labelsOfCard'],
  },
  asana: {
    workspaces: ['workspaces'],
    projects: ['projects'],
    sections: ['sections'],
    members: ['users'],
    tags: ['tags'],
    tasks: ['tasks'],
  },
  clickup: {
    workspaces: ['workspaces'],
    spaces: ['spaces'],
    lists: ['lists'],
    members: ['members'],
    tags: ['tags'],
    tasks: ['tasks'],
  },
  linear: { teams: ['teams', 'teamKeys'], projects: ['projects'], members: ['users'], labels: ['labels'] },
  monday: {
    workspaces: ['workspaces'],
    boards: ['boards'],
    groups: ['groups'],
    members: ['users'],
    'columns with their labels': ['columns'],
  },
  discord: { servers: ['servers'], channels: ['channels'], roles: ['roles'] },
  telegram: { chats: ['chats'] },
  whatsapp: { accounts: ['accounts'], numbers: ['numbers'], templates: ['templates'] },
  stripe: { products: ['products'], prices: ['prices', 'itemColumns'] },
  shopify: { locations: ['locations'], collections: ['collections'] },
  supabase: { tables: ['tables'], columns: ['columns', 'column_names'] },
  zendesk: { groups: ['groups'], agents: ['agents'], tags: ['tags'], fields: ['ticketFields'] },
  mailchimp: { audiences: ['audiences'], tags: ['tags'] },
  pipedrive: { pipelines: ['pipelines'], stages: ['stages'], owners: ['users'], fields: ['deal_fields'] },
  typeform: { forms: ['forms'], workspaces: ['workspaces'] },
  calendly: { users: ['users'], organizations: ['organizations'], events: ['events'] },
  wordpress: { posts: ['posts'], pages: ['pages'], categories: ['categories'], tags: ['tags'], authors: ['users'] },
  woocommerce: { products: ['products', 'lineColumns'], categories: ['categories'], orders: ['orders'] },
  dropbox: { folders: ['folders'], files: ['entries'] },
  baserow: { tables: ['tables'], rows: ['rows'], columns: ['columns'] },
  apify: { actors: ['actors'], tasks: ['tasks'], runs: ['runs'], datasets: ['datasets'] },
  phantombuster: { phantoms: ['agents'] },
  n8n: { workflows: ['workflows'], executions: ['executions'], credentials: ['credentials'], tags: ['tags'] },
};

/** The same of nodes, whose sources are asked with a credential or read the tables of the workspace. */
const NODE_THINGS: Record<string, Record<string, string[]>> = {
  llm: { models: ['models'] },
  agent: { models: ['models'] },
  mcp: { tools: ['tools'] },
  table: { tables: ['tables'], columns: ['columns'] },
  sql: { tables: ['tables'], columns: ['columns'] },
  mongodb: { databases: ['databases'], collections: ['collections'] },
};

/** What only an earlier step or a trigger knows, and what no call lists, each with the reason. */
const UNLISTED: Record<string, string> = {
  'google attachment': 'its id is another one with each reading of its email',
  'github sha': 'it says which content a change replaces',
  'github type': 'the names of own events are in the files of workflows',
  'salesforce value': 'an id of another system',
  'telegram callback': 'bots get it once, and no call lists it',
  'telegram query': 'bots get it once, and no call lists it',
  'telegram fileId': 'files are named by messages, which no call lists',
  'whatsapp replyTo': 'messages come by webhooks, and no call lists them',
  'whatsapp message': 'messages come by webhooks, and no call lists them',
  'whatsapp media': 'media come by webhooks, and no call lists them',
  'phantombuster container': 'launches are listed for one Phantom alone',
  'phantombuster previousContainer': 'launches are listed for one Phantom alone',
  'supabase function': 'edge functions are listed for another kind of token alone',
};

/** The sources that the fields of a schema name. */
function collectSources(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) =>
    key === 'x-choices' || key === 'x-columns' ? [String((value as { source: string }).source)] : collectSources(value),
  );
}

const listed = (things: Record<string, Record<string, string[]>>) =>
  Object.entries(things).flatMap(([id, kinds]) =>
    Object.entries(kinds).map(([kind, sources]) => [id, kind, sources] as const),
  );

describe('a parameter picks', () => {
  const used = new Map(
    builtInConnectors.map((connector) => {
      const all = [...describeOperations(connector), ...describeEvents(connector)];
      return [connector.id, new Set(all.flatMap(({ parameters }) => collectSources(parameters)))] as const;
    }),
  );
  test.each(listed(THINGS))('%s: %s', (id, _, sources) => {
    expect([...(used.get(id) ?? [])]).toEqual(expect.arrayContaining(sources));
  });

  test('from every source that a record has', () => {
    const unused = builtInConnectors.flatMap(({ id, choices = {} }) =>
      Object.keys(choices).flatMap((name) => (used.get(id)?.has(name) ? [] : [`${id} ${name}`])),
    );
    expect(unused).toEqual([]);
  });
});

test('every other id is one that no call lists', () => {
  const found = builtInConnectors.flatMap((connector) =>
    describeOperations(connector).flatMap(({ parameters }) =>
      Object.entries((parameters['properties'] ?? {}) as Record<string, Record<string, unknown>>).flatMap(
        ([name, schema]) =>
          ['earlier step', 'not listed'].includes(String(schema['x-value'])) ? [`${connector.id} ${name}`] : [],
      ),
    ),
  );
  expect([...new Set(found)].sort()).toEqual(Object.keys(UNLISTED).sort());
});

test.each(listed(NODE_THINGS))('a field of the node %s picks %s', (type, _, sources) => {
  const node = listPublicNodeTypes().find((one) => one.type === type);
  expect(collectSources(node?.configSchema)).toEqual(expect.arrayContaining(sources));
});
