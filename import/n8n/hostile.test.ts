import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WorkflowDefinition } from '@/contract/workflows/workflow';
import { PURPOSE, useEvaluation } from '@/server/testing/evaluation';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { importN8n } from './convert';
import { N8nImportError, parseN8nFile } from './file';
import { CLASSIFIER_CONVERTERS } from './items/classifiers';
import { ITEM_CONVERTERS } from './items/converters';
import { CALL_CONVERTERS } from './nodes';
import { AI_NODE_CONVERTERS } from './nodes/ai';

useEvaluation();

const AI_PARTS = [
  'lmChatOpenAi',
  'lmChatAwsBedrock',
  'memoryBufferWindow',
  'outputParserStructured',
  'outputParserAutofixing',
  'toolHttpRequest',
  'toolWorkflow',
  'toolCode',
  'toolWikipedia',
  'agentTool',
];
const TYPES = [
  ...[...Object.keys(CALL_CONVERTERS), ...Object.keys(ITEM_CONVERTERS)].map((name) => `n8n-nodes-base.${name}`),
  ...['webhook', 'scheduleTrigger', 'formTrigger', 'manualTrigger', 'errorTrigger', 'splitInBatches', 'stickyNote'].map(
    (name) => `n8n-nodes-base.${name}`,
  ),
  ...[...Object.keys(AI_NODE_CONVERTERS), ...Object.keys(CLASSIFIER_CONVERTERS), ...AI_PARTS].map(
    (name) => `@n8n/n8n-nodes-langchain.${name}`,
  ),
  ...['httpRequestTool', 'gmailTool', 'postgresTool'].map((name) => `n8n-nodes-base.${name}`),
  'n8n-nodes-community.constructor',
];
const anyName = fc.constantFrom(
  'A',
  'B',
  'C',
  'D',
  'E',
  'F',
  '__proto__',
  'constructor',
  '<b>x</b>',
  '{{ a }}',
  '9',
  '😀',
  '\ud83d',
  '',
);
const anyExpression = fc.constantFrom(
  '={{ $json.a.b }}',
  '={{ $json["a b"] + 1 }}',
  "={{ $('A').item.json.x }}",
  '={{ $node["B"].json.y }}',
  '={{ $input.all().map(i => i.json.x).join(", ") }}',
  '={{ $json.a ? "{{" : `x ${$json.b} }}` }}',
  '={{ $json.__proto__.x }}',
  '={{ {a: {b: 1}} }}',
  String.raw`={{ $json.a.match(/[({\]/"'}]+(\d{2,3})[^\w]}/i)?.[1].replace(/"/g, '{{') }}`,
  '={{ (() => { const { a, b: [c] } = $json; if (a) return `}}`; return b; })() }}',
  '={{ (({ a }) => { let x = a.flatMap(y => [y, /\\{{2}/.test(y)]); return x; })($json) }}',
  '={{ // }}\n$json.a }}',
  '={{ $now.minus({days: 2}).toFormat("yyyy-MM-dd HH:mm") }}',
  '={{ [1,2].filter((x, i) => x > i && !$json.and) }}',
  '={{ (function() { return 1 })() }}',
  '={{ /a+/.test($json.x) }}',
  '={{ unclosed',
  '=}} {{ {{ $json.x }} }}{',
  '={"a": "{{ $json.x }}", "b": {{ $json.y }}, "c": {{{ $json.z }}}}',
  '{{ plain }}',
  '={{ $json.`x` }}',
  "={{ $json['a`b'].slice(-2) }}",
  '={{ $env.KEY || $vars.other }}',
  "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Sub_ject', `What it is`, 'number') }}",
  "={{ $fromAI('a b', 'x') }}",
  'https://a.example/{id}?q={q}',
  '{"type": "object", "properties": {"a": {"type": "string", "pattern": "("}}, "required": ["a", "b"]}',
  '={{ 1 - -$json.x % 2 }}',
);
const anyText = fc.oneof(
  anyExpression,
  fc.string({ maxLength: 8, unit: 'binary' }),
  fc.constantFrom('GET', 'POST', 'json', 'raw', '1', '\0', '\ud800'),
);
const KEYS = `
  url method jsonBody sendBody value name mode operation query parameters
  options amount unit resume conditions leftValue rightValue operator assignments values
  rules outputKey combinator type string number jsCode respondWith responseBody responseCode
  toEmail sendTo subject message text html channelId path formFields fieldLabel
  fieldType fieldOptions option rule interval field expression triggerAtHour fieldToSplitOut fieldsToAggregate
  fieldToAggregate sortFieldsUi sortField fieldName fieldsToCompare jsonOutput includeOtherFields extractionValues key cssSelector
  dataPropertyName queryReplacement queryParameters pagination paginationMode nextURL batchSize combineBy mergeByFields field1
  field2 destinationFieldName fileName workflowInputs errorMessage model systemMessage
  messageValues categories category attributes jsonSchemaExample inputSchema schemaType promptType sessionKey
  placeholderDefinitions parametersQuery valueProvider sendQuery toolDescription inputText modelId __proto__
`
  .trim()
  .split(/\s+/);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText,
    fc.constantFrom<unknown>(true, false, null, 0, 1, 2.5, -3, 1e21),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 6 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;
const anyNode = fc.record(
  {
    name: anyName,
    type: fc.constantFrom(...TYPES),
    typeVersion: fc.constantFrom(1, 2, 3, 3.4),
    position: fc.constantFrom<unknown>([0, 0], [10.5, -20], 'x', [1e300, Number.NaN]),
    parameters: fc
      .array(fc.tuple(fc.constantFrom(...KEYS), anyValue), { maxLength: 12 })
      .map((entries) => Object.fromEntries(entries)),
    disabled: fc.boolean(),
    notes: fc.constantFrom('', 'a note', '{{'),
    onError: fc.constantFrom('continueErrorOutput', 'continueRegularOutput', 'stopWorkflow'),
    retryOnFail: fc.boolean(),
    maxTries: fc.constantFrom(0, 3, 1000),
    credentials: fc.constant({ httpBasicAuth: { id: 'secret-id', name: 'Name' } }),
    alwaysOutputData: fc.boolean(),
  },
  { requiredKeys: ['name', 'type'] },
);
const anyLink = fc.record({
  from: anyName,
  to: anyName,
  output: fc.nat(4),
  input: fc.nat(2),
  kind: fc.constantFrom('main', 'main', 'main', 'ai_tool', 'ai_languageModel', 'ai_memory', 'ai_outputParser'),
});
const anyFile = fc
  .tuple(fc.array(anyNode, { minLength: 1, maxLength: 12 }), fc.array(anyLink, { maxLength: 20 }), anyName)
  .map(([nodes, links, name]) => {
    const connections = Object.create(null) as Record<string, Record<string, object[][]>>;
    for (const { from, to, output, input, kind } of links) {
      const outputs = ((connections[from] ??= {})[kind] ??= []);
      while (outputs.length <= output) outputs.push([]);
      outputs[output]?.push({ node: to, type: kind, index: input });
    }
    return { name, nodes, connections, settings: { timezone: 'Europe/Berlin' } };
  });

const file = (nodes: object[], connections: object = {}) => ({ nodes, connections });
const node = (name: string, parameters: object = {}, type = 'set') => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
});

const FOLDER = path.join(import.meta.dirname, 'fixtures');
const FIXTURES = readdirSync(FOLDER).map((name) => readFileSync(path.join(FOLDER, name), 'utf8'));

/** Every place in a value that holds another: its object, and the name there. */
function places(value: unknown, found: [Record<string, unknown>, string][] = []): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    found.push([value as Record<string, unknown>, name]);
    places(inner, found);
  }
  return found;
}
/** A real export in which some values are others. */
const anyChanged = fc
  .tuple(fc.constantFrom(...FIXTURES), fc.array(fc.tuple(fc.nat(10_000), anyValue), { minLength: 1, maxLength: 12 }))
  .map(([text, changes]) => {
    const given = JSON.parse(text) as { nodes: { parameters: object }[] };
    for (const [at, value] of changes) {
      const all = places(given.nodes.map(({ parameters }) => parameters));
      const [holder, name] = all[at % all.length] ?? [];
      if (holder && name) holder[name] = structuredClone(value);
    }
    return given;
  });

describe('any export of n8n', () => {
  it.each(FIXTURES)('is valid: %#', async (text) => {
    expect(await definitionIssues(importN8n(JSON.parse(text)).definition, PURPOSE)).toEqual([]);
  });

  it('is valid as well where parts of a real one are anything', async () => {
    await fc.assert(
      fc.asyncProperty(anyChanged, async (given) => {
        expect(await definitionIssues(importN8n(given).definition, PURPOSE)).toEqual([]);
      }),
    );
  });

  it('has its start, also where a trigger is attached as a part', async () => {
    const nodes = [
      { name: 'B', type: 'n8n-nodes-base.manualTrigger' },
      { name: 'A', type: 'n8n-nodes-base.httpRequest' },
    ];
    const connections = { B: { ai_outputParser: [[{ node: 'A', type: 'ai_outputParser', index: 0 }]] } };
    const { definition } = importN8n({ name: 'A', nodes, connections });
    expect(WorkflowDefinition.safeParse(definition).success).toBe(true);
    expect(await definitionIssues(definition, PURPOSE)).toEqual([]);
  });

  it('becomes a valid definition, and nothing of its credentials is in it', async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, async (given) => {
        const { definition, report } = importN8n(given);
        WorkflowDefinition.parse(definition);
        expect(await definitionIssues(definition, PURPOSE)).toEqual([]);
        expect(JSON.stringify(definition)).not.toContain('secret-id');
        expect(report.length).toBeLessThanOrEqual(given.nodes.length);
      }),
    );
  });
});

describe('a hostile file', () => {
  it('is refused with one kind of error', () => {
    const deep = `{"nodes":[{"name":"a","type":"n8n-nodes-base.set","parameters":${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}}],"connections":{}}`;
    const many = file(Array.from({ length: 501 }, (_, index) => node(`n${index}`)));
    const text = { jsonOutput: JSON.stringify({ a: 'x'.repeat(60_000) }), mode: 'raw' };
    const large = file(Array.from({ length: 20 }, (_, index) => node(`n${index}`, text)));
    for (const refuse of [
      () => parseN8nFile(deep),
      () => parseN8nFile('{'),
      () => parseN8nFile(' '.repeat(10 * 1024 * 1024 + 1)),
      () => parseN8nFile('[]'),
      () => importN8n(null),
      () => importN8n({ nodes: [{ id: 'a', type: 'start' }], connections: [] }),
      () => importN8n(many),
      () => importN8n(large),
    ]) {
      expect(refuse).toThrow(N8nImportError);
    }
  });

  it('is parsed up to a limit only', () => {
    for (const value of [
      '{{ {{ }} '.repeat(50_000),
      `{{ ${'( }} {{'.repeat(100_000)}{{ a }}`,
      '{{ $json.a }} '.repeat(5001),
    ])
      expect(() => importN8n(file([node('a', { values: { string: [{ name: 'x', value: `=${value}` }] } })]))).toThrow(
        'more than 5000 expressions',
      );
    const most = importN8n(
      file([node('a', { values: { string: [{ name: 'x', value: `=${'{{ ( }}'.repeat(2000)}` }] } })]),
    );
    expect(most.report[0]?.outcome).toBe('partly');
    expect(() => importN8n(file([node('a', { x: 'x'.repeat(4 * 1024 * 1024) })]))).toThrow('larger than 3 MB');
  });

  it('ends soon: expressions that repeat, nest or never close, and loops in loops', () => {
    const nasty = [
      `={{ ${'$json.a || '.repeat(500)}1 }}`,
      `={{ ${'('.repeat(5000)} }}`,
      `={{ ${'`${'.repeat(3000)} }}`,
      `={{ $json${'.includes($json)'.repeat(35)} }}`,
      `=${'{{ a '.repeat(1000)}`,
      `=${'{{ a }} '.repeat(1000)}`,
      `={{ ${'a }} '.repeat(5000)}`,
      `={{ ${'!'.repeat(9000)}1 }}`,
    ];
    const { definition } = importN8n(
      file(nasty.map((value, index) => node(`n${index}`, { values: { string: [{ name: 'a', value }] } }))),
    );
    expect(definition.nodes.length).toBe(nasty.length + 1);
    const names = Array.from({ length: 200 }, (_, index) => `l${index}`);
    const all = names.map((name) => ({ node: name, type: 'main', index: 0 }));
    const loops = file(
      names.map((name) => node(name, {}, 'splitInBatches')),
      Object.fromEntries(
        names.map((name, index) => [name, { main: [[], all.slice(index, index + 20), all.slice(0, 3)] }]),
      ),
    );
    expect(importN8n(loops).report.length).toBe(200);
  });
});
