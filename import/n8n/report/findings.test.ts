import { describe, expect, it } from 'vitest';
import { planN8nImport } from '../plan';

const AI = '@n8n/n8n-nodes-langchain.';
const node = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
  name,
  type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
  parameters,
  typeVersion: 1,
  position: [0, 0],
  ...more,
});
const part = (to: string, kind: string) => ({ [kind]: [[{ node: to, type: kind, index: 0 }]] });

const listTasks = (nodes: object[], connections: object) => {
  const { light, record } = planN8nImport({ name: 'Theirs', nodes, connections });
  const tasks = record.report.filter(({ kind }) => kind !== 'know');
  return { light, tasks: tasks.map(({ kind, node: name, message }) => [kind, name, message]) };
};

describe('an account to connect', () => {
  it('has an address in its sentence', () => {
    const { light, tasks } = listTasks(
      [node('Go', 'manualTrigger'), node('Agent', `${AI}agent`), node('Model', `${AI}lmChatMistralCloud`)],
      { Go: part('Agent', 'main'), Model: part('Agent', 'ai_languageModel') },
    );
    const asked = 'Choose a credential of the kind Language model: openai_compatible, https://api.mistral.ai/v1.';
    expect([light, tasks]).toEqual(['green', [['account', 'Agent', asked]]]);
  });

  it('is all that a tool needs', () => {
    const { light, tasks } = listTasks(
      [
        node('Go', 'manualTrigger'),
        node('Agent', `${AI}agent`),
        node('Model', `${AI}lmChatOpenAi`, {}, { credentials: { openAiApi: { name: 'Ours' } } }),
        node('Search', `${AI}toolSerpApi`),
      ],
      { Go: part('Agent', 'main'), Model: part('Agent', 'ai_languageModel'), Search: part('Agent', 'ai_tool') },
    );
    expect(light).toBe('green');
    expect(tasks).toContainEqual([
      'account',
      'Search',
      'Choose a credential of SerpApi: api_key, query parameter api_key.',
    ]);
  });

  it('is the secret of the callers of a webhook', () => {
    const { light, tasks } = listTasks([node('Called', 'webhook', { authentication: 'headerAuth', path: 'a' })], {});
    const asked = 'Enter its secret: the name and the value of the header, without which it refuses all calls.';
    expect([light, tasks]).toEqual(['green', [['account', 'Called', asked]]]);
  });
});

it('a tool that n8n offers by MCP needs what its workflow needs', () => {
  const { light, tasks } = listTasks([node('MCP', `${AI}mcpTrigger`), node('Cards', 'trelloTool')], {
    Cards: part('MCP', 'ai_tool'),
  });
  expect([light, tasks]).toEqual(['green', [['account', 'Cards', 'Choose an account of Trello.']]]);
});

describe('what never runs in n8n', () => {
  const nodes = [
    node('Go', 'manualTrigger'),
    node('Off', 'somethingUnknown', {}, { disabled: true }),
    node('Alone', 'somethingUnknown'),
    node('Behind', 'code', { jsCode: 'return require("axios").get("https://a.example");' }),
    node('Model', `${AI}lmChatOdd`),
  ];
  const links = { Go: part('Off', 'main'), Alone: part('Behind', 'main') };

  it('asks for nothing, and is known', () => {
    const { light, record } = planN8nImport({ name: 'Theirs', nodes, connections: links });
    const known = record.report.map(({ kind, node: name, message }) => [kind, name, message.split(':')[0]]);
    expect([light, known]).toEqual([
      'green',
      [
        ['know', 'Off', 'It is switched off, and passes its items on. Weft has no node for somethingUnknown'],
        ...['Alone', 'Behind', 'Model'].map((name) => ['know', name, 'No trigger leads to it']),
      ],
    ]);
  });

  it('is to do once something leads to it, or where no trigger says what runs', () => {
    const isReached = { ...links, Off: part('Alone', 'main'), Model: part('Behind', 'ai_languageModel') };
    const asked = [
      ['replace', 'Alone'],
      ['check', 'Behind'],
    ];
    const kinds = (given: object[], connections: object) =>
      listTasks(given, connections)
        .tasks.map(([kind, name]) => [kind, name])
        .toSorted();
    expect(kinds(nodes, isReached)).toEqual(asked.toSorted());
    expect(kinds(nodes.slice(2, 4), {})).toEqual(asked.toSorted());
    const alone = [...asked, ['replace', 'Model']].toSorted();
    expect(kinds(nodes, {})).toEqual(alone);
    expect(kinds(nodes, { ...links, Lost: part('Off', 'main') })).toEqual(alone);
    expect(kinds(nodes, { ...links, Off: part('Lost', 'main') })).toEqual(alone);
    // A package that is not known may have a trigger whose name does not say so.
    const foreign = nodes.with(2, { ...node('Alone', 'listen'), type: 'n8n-nodes-theirs.listen' });
    expect(kinds(foreign, links)).toEqual(asked.toSorted());
  });
});
