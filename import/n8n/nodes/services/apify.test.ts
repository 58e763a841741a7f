import { expect, it } from 'vitest';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { importServiceNode } from './testing/import-service-node';

const chosen = (value: string, mode = 'id') => ({ __rl: true, mode, value });

const importCall = (parameters: object, type = '@apify/n8n-nodes-apify.apify') => importServiceNode(type, parameters);

const CALLS: [object, string, object][] = [
  [
    { actorId: chosen('a1'), timeout: {}, customBody: '={ "n": {{ $json.n }} }' },
    'actors.run',
    {
      actor: 'a1',
      input: '{{ n8n.json(n8n.text("{ \\"n\\": ", () => ($json.n), " }")) }}',
      memory: 1024,
      waits: true,
    },
  ],
  [
    { actorId: chosen('https://console.apify.com/actors/a1/input', 'url'), waitForFinish: false, memory: 512 },
    'actors.run',
    { actor: 'a1', memory: 512 },
  ],
  [
    { operation: 'Run actor and get dataset', actorId: chosen('={{ $vars.ACTOR }}'), timeout: 60, build: 'latest' },
    'actors.run_for_items',
    { actor: '{{ ($vars.ACTOR)?.toString() }}', timeout: 60, memory: 1024, build: 'latest' },
  ],
  [
    { resource: 'Actor tasks', actorTaskId: chosen('t1'), customBody: '{"a": 1}', memory: null },
    'tasks.run',
    { task: 't1', waits: true },
  ],
  [
    { resource: 'Actor tasks', actorTaskId: chosen('t1'), useCustomBody: true, customBody: '{"a": 1}' },
    'tasks.run',
    { task: 't1', input: { a: 1 }, memory: 1024, waits: true },
  ],
  [
    { resource: 'Datasets', datasetId: '={{ $json.defaultDatasetId }}', offset: {}, limit: 20 },
    'datasets.list_items',
    { dataset: '{{ ($json.defaultDatasetId)?.toString() }}', limit: 20 },
  ],
];

it.each(CALLS)('%j becomes %s with %j', async (parameters, operation, expected) => {
  const { definition, callNode: call, message } = importCall(parameters);
  expect(call?.config).toEqual({ connectorId: 'apify', operation, parameters: expected });
  expect(call?.timeoutMs).toBe(operation.startsWith('datasets') ? undefined : 86_400_000);
  expect(message).toContain('Choose an account of Apify.');
  expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
});

it('nodes of other packages with this name, and other operations, have no counterpart', () => {
  expect(importCall({}, 'n8n-nodes-other.apify').message).toContain('Weft has no node for apify');
  expect(importCall({ operation: 'Scrape single URL' }).message).toContain('has no “Actors.Scrape single URL”');
});
