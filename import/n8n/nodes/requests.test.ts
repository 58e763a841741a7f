import { expect, it } from 'vitest';
import { planN8nImport } from '../plan';

const link = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });

/** The node that calls in place of a node of n8n, and the one behind it. */
function importCall(type: string, parameters: object, typeVersion: number) {
  const position = [0, 0];
  const nodes = [
    { name: 'Go', type: 'n8n-nodes-base.manualTrigger', parameters: {}, typeVersion: 1, position },
    { name: 'Act', type, parameters, typeVersion, position },
  ];
  const { light, definition, record } = planN8nImport({ name: 'X', nodes, connections: { Go: link('Act') } });
  const find = (name: string) => definition.nodes.find((one) => one.name === name);
  const found = record.report.filter(({ kind }) => kind !== 'know');
  return { light, call: find('Act: call')?.config, behind: find('Act')?.config, found: found.map(({ kind }) => kind) };
}

const LANGCHAIN = '@n8n/n8n-nodes-langchain';

it.each<[string, string, object, number, object]>([
  [
    'a recording that OpenAI writes down',
    `${LANGCHAIN}.openAi`,
    {
      resource: 'audio',
      operation: 'transcribe',
      binaryPropertyName: 'voice',
      options: { language: 'de', temperature: '={{ $json.warmth }}' },
    },
    1.8,
    {
      url: 'https://api.openai.com/v1/audio/transcriptions',
      method: 'POST',
      bodyType: 'multipart',
      body: [
        { name: 'model', value: 'whisper-1' },
        { name: 'language', value: 'de' },
        { name: 'temperature', value: '{{ $json.warmth }}' },
        { name: 'file', file: '{{ input.$files?.["voice"] }}' },
      ],
    },
  ],
  [
    'a call of the Graph API',
    'n8n-nodes-base.facebookGraphApi',
    {
      httpRequestMethod: 'POST',
      graphApiVersion: 'v22.0',
      node: '={{ $json.page }}',
      edge: 'media',
      options: {
        fields: { field: [{ name: 'id' }, { name: 'name' }] },
        queryParameters: { parameter: [{ name: 'caption', value: '={{ $json.text }}' }] },
      },
    },
    1,
    {
      url: 'https://graph.facebook.com/v22.0/{{ $json.page }}/media',
      method: 'POST',
      query: { fields: 'id,name', caption: '{{ $json.text }}' },
    },
  ],
  [
    'a question to Perplexity',
    'n8n-nodes-base.perplexity',
    { messages: { message: [{ content: 'Why?' }] }, options: { searchRecency: 'day', maxTokens: 50 } },
    1,
    {
      url: 'https://api.perplexity.ai/chat/completions',
      method: 'POST',
      body: {
        model: 'sonar',
        messages: [{ role: 'user', content: 'Why?' }],
        search_recency_filter: 'day',
        max_tokens: 50,
      },
    },
  ],
  [
    'a post on X',
    'n8n-nodes-base.twitter',
    { text: '={{ $json.text }}', additionalFields: {} },
    2,
    { url: 'https://api.x.com/2/tweets', method: 'POST', body: { text: '{{ $json.text }}' } },
  ],
  [
    'a method that is written as an expression without one',
    'n8n-nodes-base.httpRequest',
    { url: 'https://a.example', method: '=POST', authentication: 'genericCredentialType' },
    4.2,
    { url: 'https://a.example', method: 'POST' },
  ],
])('%s is a request that needs its account alone', (_what, type, parameters, version, expected) => {
  const { light, call, found } = importCall(type, parameters, version);
  expect(call).toMatchObject(expected);
  expect([light, found]).toEqual(['green', ['account']]);
});

it('what such a node does else is left to a person', () => {
  const type = 'n8n-nodes-base.perplexity';
  const message = { messages: { message: [{ content: 'Why?' }] } };
  expect(importCall(type, { ...message, options: { stop: 'x' } }, 2).found).toEqual(['account', 'check']);
  expect(importCall(type, { resource: 'search' }, 2).found).toEqual(['replace']);
  expect(importCall('n8n-nodes-base.twitter', { resource: 'user' }, 2).found).toEqual(['replace']);
  expect(importCall('n8n-nodes-base.facebookGraphApi', {}, 1).found).toEqual(['account', 'choose']);
  const queryParameters = { parameter: [{ name: '={{ $json.name }}', value: 'x' }] };
  const computed = { node: 'me', options: { queryParameters } };
  expect(importCall('n8n-nodes-base.facebookGraphApi', computed, 1).found).toEqual(['account', 'check']);
});

it('JSON of a model is any object, in the shape of n8n', () => {
  const messages = { values: [{ content: 'List them as JSON' }] };
  const modelId = { __rl: true, mode: 'list', value: 'gpt-4o' };
  const simple = importCall(`${LANGCHAIN}.openAi`, { modelId, messages, jsonOutput: true }, 1.8);
  expect([simple.light, simple.found]).toEqual(['green', ['account']]);
  expect(simple.call).toMatchObject({ outputSchema: { type: 'object' } });
  expect(simple.behind?.['expression']).toContain('{ "message": { "content": answer } }');
  const whole = importCall(`${LANGCHAIN}.openAi`, { modelId, messages, jsonOutput: true, simplify: false }, 1.8);
  expect(whole.behind?.['expression']).toContain('"choices": [');
  const gemini = { modelId, messages: { values: [{ content: 'As JSON' }] }, jsonOutput: true };
  expect(importCall(`${LANGCHAIN}.googleGemini`, gemini, 1).behind?.['expression']).toContain('JSON.stringify(answer)');
});
