import { expect, it } from 'vitest';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { importN8n } from '../convert';

/** The request that a node becomes, behind a start. */
function importRequest(type: string, parameters: object) {
  const node = (name: string, kind: string, given: object) => ({
    name,
    type: `n8n-nodes-base.${kind}`,
    parameters: given,
    typeVersion: 1,
    position: [0, 0],
  });
  const connections = { Go: { main: [[{ node: 'It', type: 'main', index: 0 }]] } };
  const nodes = [node('Go', 'manualTrigger', {}), node('It', type, parameters)];
  const { definition, report } = importN8n({ name: 'Theirs', nodes, connections });
  const call = definition.nodes.find(({ id }) => id === 'it_call')?.config;
  const expression = String(definition.nodes.find(({ id }) => id === 'it')?.config['expression']);
  const { message = '', outcome } = report.find(({ node: name }) => name === 'It') ?? {};
  return { definition, call, expression, message, outcome };
}

const REQUESTS: [string, object, string, object, string][] = [
  [
    'openWeatherMap',
    { cityName: '={{ $json.city }}', language: 'de' },
    'https://api.openweathermap.org/data/2.5/weather',
    { units: 'metric', q: '{{ $json.city }}', lang: 'de' },
    'path: "body"',
  ],
  [
    'openWeatherMap',
    { operation: '5DayForecast', locationSelection: 'coordinates', latitude: '1', longitude: '2', format: 'imperial' },
    'https://api.openweathermap.org/data/2.5/forecast',
    { units: 'imperial', lat: '1', lon: '2' },
    'path: "body"',
  ],
  [
    'clearbit',
    { resource: 'person', email: '={{ $json.email }}', additionalFields: { company: '={{ $json.company }}' } },
    'https://person-stream.clearbit.com/v2/people/find',
    { email: '{{ $json.email }}', company: '{{ ($json.company) || null }}' },
    'path: "body"',
  ],
  [
    'clearbit',
    { domain: 'example.com', additionalFields: { companyName: '' } },
    'https://company-stream.clearbit.com/v2/companies/find',
    { domain: 'example.com' },
    'path: "body"',
  ],
  [
    'clearbit',
    { operation: 'autocomplete', name: 'Acme' },
    'https://autocomplete.clearbit.com/v1/companies/suggest',
    { query: 'Acme' },
    'path: "body"',
  ],
  [
    'hunter',
    { domain: 'example.com', filters: { type: 'personal', seniority: ['junior', 'senior'] } },
    'https://api.hunter.io/v2/domain-search',
    { domain: 'example.com', type: 'personal', seniority: 'junior,senior', limit: 100 },
    'path: "body.data.emails"',
  ],
  [
    'hunter',
    { operation: 'emailVerifier', email: '={{ $json.email }}' },
    'https://api.hunter.io/v2/email-verifier',
    { email: '{{ $json.email }}' },
    'path: "body.data"',
  ],
  [
    'hackerNews',
    { resource: 'all', limit: 5, additionalFields: { keyword: 'n8n', tags: ['story', 'poll'] } },
    'https://hn.algolia.com/api/v1/search',
    { query: 'n8n', tags: 'story,poll', hitsPerPage: 5 },
    'path: "body.hits"',
  ],
  ['hackerNews', { articleId: '8863' }, 'https://hn.algolia.com/api/v1/items/8863', {}, 'children, ...article'],
];

it.each(REQUESTS)('%s %j asks %s with %j', async (type, parameters, url, query, shown) => {
  const { definition, call, expression, message } = importRequest(type, parameters);
  expect(call).toEqual({ url, query });
  expect(expression).toContain(shown);
  const account = /^Choose a credential with the API key of \w+ as (?:a bearer token|the query parameter \w+)\.$/;
  expect(message).toMatch(type === 'hackerNews' ? /^$/ : account);
  expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
});

it.each([
  ['hunter', { domain: 'example.com', returnAll: true }],
  ['hunter', { domain: 'example.com', filters: { department: '={{ $json.all }}' } }],
  ['hackerNews', { resource: 'all', returnAll: true }],
  ['openWeatherMap', { operation: 'constructor' }],
  ['openWeatherMap', { locationSelection: '={{ $json.by }}' }],
  ['clearbit', { resource: 'person', operation: 'autocomplete' }],
])('what is asked for otherwise has no counterpart: %s %j', (type, parameters) => {
  expect(importRequest(type, parameters).outcome).toBe('placeholder');
});

it('a place that is not entered is asked for', () => {
  expect(importRequest('openWeatherMap', {}).message).toContain('Enter its city.');
});
