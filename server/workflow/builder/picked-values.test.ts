import { describe, expect, test } from 'vitest';
import type { FieldChoice } from '@/contract/choices';
import type { TemplateTrigger } from '@/contract/workflows/template';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import {
  ChoiceLookup,
  MAX_CHOICE_QUESTIONS,
  MAX_LOOKED_UP_CHOICES,
  type NamedChoiceQuestion,
  type NamedChoiceReader,
} from './choice-lookup';
import { resolvePickedTriggers } from './picked-triggers';
import { PickedValueResolver } from './picked-values';

const ACCOUNT = { id: 'cred_slack', name: 'Slack', type: 'oauth2', connectorId: 'slack' };
const account = (connectorId: string) => ({ id: `cred_${connectorId}`, name: 'Own', type: 'oauth2', connectorId });
const none: WorkflowDefinition = { nodes: [], connections: [] };

/** Lists these choices in pages of 100; `searches`: the service searches labels. */
function listing(choices: FieldChoice[], searches = false) {
  const asked: NamedChoiceQuestion[] = [];
  const listChoices: NamedChoiceReader = (question) => {
    asked.push(question);
    const fitting = searches
      ? choices.filter(({ label }) => label.toLowerCase().includes(question.search.toLowerCase()))
      : choices;
    const from = Number(question.cursor ?? 0);
    const nextCursor = fitting.length > from + 100 ? String(from + 100) : null;
    return Promise.resolve({ data: fitting.slice(from, from + 100), nextCursor });
  };
  return { asked, listChoices };
}
const many = (count: number, name = 'channel'): FieldChoice[] =>
  Array.from({ length: count }, (_, index) => ({ value: `C${index}`, label: `${name}-${index}` }));

const resolverWith = (
  listChoices: NamedChoiceReader,
  { credentials = [ACCOUNT], signal = new AbortController().signal } = {},
) => new PickedValueResolver(new ChoiceLookup({ credentials, listChoices, signal }));

const calling = (parameters: object, { connectorId = 'slack', operation = 'messages.post', ...more } = {}) =>
  ({
    id: 'tell',
    type: 'connector',
    position: { x: 0, y: 0 },
    config: { connectorId, operation, parameters },
    ...more,
  }) as WorkflowNode;

async function resolveOne(resolver: PickedValueResolver, node: WorkflowNode, before = none) {
  const { nodes } = await resolver.resolveDefinition({ ...none, nodes: [node] }, before);
  const { config, labels, credentialId } = nodes[0]!;
  return { parameters: config['parameters'] as Record<string, unknown>, config, labels, credentialId };
}

describe('a list', () => {
  test('is read beyond its first page, by name and by id', async () => {
    for (const written of ['channel-777', '#Channel-777', 'C777']) {
      const { listChoices } = listing(many(800));
      const resolved = await resolveOne(resolverWith(listChoices), calling({ channel: written }));
      expect(resolved).toMatchObject({
        parameters: { channel: 'C777' },
        labels: { 'parameters.channel': 'channel-777' },
        credentialId: 'cred_slack',
      });
    }
  });

  test('is read up to a limit, and the reason says so', async () => {
    const { asked, listChoices } = listing(many(MAX_LOOKED_UP_CHOICES + 200));
    const resolver = resolverWith(listChoices);
    expect((await resolveOne(resolver, calling({ channel: 'channel-1100', text: 'Hi' }))).parameters).toEqual({
      text: 'Hi',
    });
    expect(asked).toHaveLength(MAX_LOOKED_UP_CHOICES / 100);
    expect(resolver.problems).toEqual([
      {
        field: 'nodes[0].config.parameters.channel',
        message: 'needs a choice for “channel-1100”: none of this name is among the first 1,000 that the account has',
      },
    ]);
  });

  test('whose pages without choices name each other ends', async () => {
    const asked: (string | undefined)[] = [];
    let reads = 0;
    const resolver = resolverWith(({ cursor }) => {
      asked.push(cursor);
      return Promise.resolve({
        // Answers are remembered, so that one is read again without a question.
        get data() {
          reads += 1;
          if (reads > 10) throw new Error('read again and again');
          return [];
        },
        nextCursor: cursor === 'one' ? 'other' : 'one',
      });
    });
    await resolveOne(resolver, calling({ channel: 'sales' }));
    expect(asked).toEqual([undefined, 'one', 'other']);
    expect(resolver.problems[0]?.message).toContain('the account has none of this name');
  });

  test('that is whole says that the account has none', async () => {
    const resolver = resolverWith(listing(many(5)).listChoices);
    await resolveOne(resolver, calling({ channel: 'sales' }));
    expect(resolver.problems[0]?.message).toContain('the account has none of this name');
  });

  test('with several of a name leaves the choice to the person', async () => {
    const twice = [...many(150), { value: 'X', label: 'channel-3' }];
    const resolver = resolverWith(listing(twice).listChoices);
    expect((await resolveOne(resolver, calling({ channel: 'channel-3' }))).parameters).toEqual({});
    expect(resolver.problems[0]?.message).toContain('has several of this name');
  });

  test('is searched where the service searches; an id is found in the list', async () => {
    const node = (project: string) =>
      calling({ project, summary: 'x' }, { connectorId: 'jira', operation: 'issues.create' });
    const credentials = [account('jira')];
    for (const written of ['project-950', 'C950']) {
      const { asked, listChoices } = listing(many(960, 'project'), true);
      const { parameters } = await resolveOne(resolverWith(listChoices, { credentials }), node(written));
      expect(parameters['project'], written).toBe('C950');
      expect(asked[0]).toMatchObject({ source: 'projects', search: written.toLowerCase() });
      if (written !== 'C950') expect(asked).toHaveLength(1);
    }
  });

  test('that the service refuses says its reason', async () => {
    const resolver = resolverWith(() => Promise.resolve('Slack did not list it: missing_scope'));
    expect((await resolveOne(resolver, calling({ channel: 'general' }))).parameters).toEqual({});
    expect(resolver.problems[0]?.message).toContain('missing_scope');
  });
});

describe('values', () => {
  test('separated by commas are looked up one by one, and only what is unknown goes', async () => {
    const users = [
      { value: 'U1', label: 'Ada' },
      { value: 'U2', label: 'Bob' },
    ];
    const node = (written: string) =>
      calling({ channel: '{{ input.c }}', users: written }, { operation: 'channels.invite' });
    const resolver = resolverWith(listing(users).listChoices);
    expect((await resolveOne(resolver, node('Ada, U2,Eve'))).parameters['users']).toBe('U1,U2');
    expect(resolver.problems.map(({ message }) => message)).toEqual([expect.stringContaining('“Eve”')]);
    expect((await resolveOne(resolver, node('{{ input.a }},{{ input.b }}'))).parameters['users']).toBe(
      '{{ input.a }},{{ input.b }}',
    );
  });

  test('that are email addresses stay, where those of others are usual', async () => {
    const people = [{ value: 'ada@example.com', label: 'Ada Lovelace' }];
    const node = (to: string) =>
      calling({ to, text: 'Hi' }, { connectorId: 'microsoft_graph', operation: 'messages.send' });
    const resolver = resolverWith(listing(people).listChoices, { credentials: [account('microsoft_graph')] });
    const mixed = await resolveOne(resolver, node('eve@example.org, ada lovelace'));
    expect(mixed.parameters['to']).toBe('eve@example.org,ada@example.com');
    const quoted = '"Lovelace, Ada" <ada@example.org>';
    expect((await resolveOne(resolver, node(quoted))).parameters['to']).toBe(quoted);
    expect(resolver.problems).toEqual([]);
  });

  test('that are numbers are no more trusted than texts', async () => {
    const issues = [{ value: 12, label: 'Broken button' }];
    const node = (number: unknown) =>
      calling(
        { owner: 'acme', repo: 'shop', number, body: 'Hi' },
        { connectorId: 'github', operation: 'comments.create' },
      );
    const credentials = [account('github')];
    const resolver = resolverWith(listing(issues).listChoices, { credentials });
    for (const written of [12, '12', 'broken button'])
      expect((await resolveOne(resolver, node(written))).parameters['number'], String(written)).toBe(12);
    expect((await resolveOne(resolver, node(13))).parameters).not.toHaveProperty('number');
    expect((await resolveOne(resolver, node('{{ input.n }}'))).parameters['number']).toBe('{{ input.n }}');
  });

  test('of before are known, as long as account and surroundings stay', async () => {
    const { asked, listChoices } = listing(many(3));
    const resolver = resolverWith(listChoices);
    const old = calling({ channel: 'C99', text: 'a' }, { credentialId: 'cred_slack' } as object);
    const before = { ...none, nodes: [old] };
    const changed = { ...old, config: { ...old.config, parameters: { channel: 'C99', text: 'b' } } };
    expect((await resolveOne(resolver, changed, before)).parameters['channel']).toBe('C99');
    expect(asked).toEqual([]);
    const moved = { ...changed, credentialId: 'cred_other' };
    expect((await resolveOne(resolver, moved, before)).parameters).not.toHaveProperty('channel');
  });

  test('without an account, or with several, are left to the person with that reason', async () => {
    const { asked, listChoices } = listing(many(3));
    const without = resolverWith(listChoices, { credentials: [] });
    await resolveOne(without, calling({ channel: 'general' }));
    expect(without.problems[0]?.message).toContain('there is no account');
    const several = resolverWith(listChoices, { credentials: [ACCOUNT, { ...ACCOUNT, id: 'cred_two' }] });
    await resolveOne(several, calling({ channel: 'general' }));
    expect(several.problems[0]?.message).toContain('several accounts');
    expect(asked).toEqual([]);
  });
});

test('tools of agents are looked up, and their labels are those of the agent', async () => {
  const { listChoices } = listing(many(3));
  const tool = (channel: string) => ({
    name: 'tell',
    type: 'connector',
    config: { connectorId: 'slack', operation: 'messages.post', parameters: { channel, text: '{{ input.text }}' } },
  });
  const agent = {
    id: 'ai',
    type: 'agent',
    position: { x: 0, y: 0 },
    config: { tools: [tool('channel-2'), tool('no')] },
  };
  const resolver = resolverWith(listChoices);
  const { config, labels } = await resolveOne(resolver, agent);
  expect(config['tools']).toMatchObject([
    { credentialId: 'cred_slack', config: { parameters: { channel: 'C2', text: '{{ input.text }}' } } },
    { config: { parameters: { text: '{{ input.text }}' } } },
  ]);
  expect(labels).toEqual({ 'tools[0].parameters.channel': 'channel-2' });
  expect(resolver.problems.map(({ field }) => field)).toEqual(['nodes[0].config.tools[1].config.parameters.channel']);
});

describe('triggers', () => {
  const poll = (channel: string) => ({
    kind: 'poll',
    settings: {
      name: 'Messages',
      node: {
        type: 'connector',
        config: { connectorId: 'slack', operation: 'channels.history', parameters: { channel } },
        credentialId: 'missing',
      },
    },
  });
  const subscription = (form: string) => ({
    kind: 'webhook',
    settings: {
      subscription: { connectorId: 'typeform', event: 'form_response', parameters: { form }, credentialId: 'missing' },
    },
  });

  test('are looked up in polls and subscriptions', async () => {
    const resolver = resolverWith(listing(many(3)).listChoices);
    const [first, second] = await resolvePickedTriggers(resolver, [poll('channel-1'), poll('no')], []);
    expect(first).toMatchObject({
      settings: {
        node: {
          credentialId: 'cred_slack',
          config: { parameters: { channel: 'C1' } },
          labels: { 'parameters.channel': 'channel-1' },
        },
      },
    });
    expect(second).toMatchObject({ settings: { node: { config: { parameters: {} } } } });
    expect(resolver.problems.map(({ field }) => field)).toEqual([
      'triggers[1].settings.node.config.parameters.channel',
    ]);
    const forms = [{ value: 'lT4Z3j', label: 'Feedback' }];
    const own = resolverWith(listing(forms).listChoices, { credentials: [account('typeform')] });
    const [made, gone] = await resolvePickedTriggers(own, [subscription('feedback'), subscription('no')], []);
    expect(made).toMatchObject({
      settings: {
        subscription: { credentialId: 'cred_typeform', parameters: { form: 'lT4Z3j' }, labels: { form: 'Feedback' } },
      },
    });
    expect(gone).toMatchObject({ settings: { subscription: { parameters: {} } } });
    expect(own.problems.map(({ field }) => field)).toEqual(['triggers[1].settings.subscription.parameters.form']);
  });

  test('that were proposed before keep what they have', async () => {
    const { asked, listChoices } = listing(many(3));
    const before = [{ ...poll('C99'), settings: { ...poll('C99').settings } }] as unknown as TemplateTrigger[];
    const [same] = await resolvePickedTriggers(resolverWith(listChoices), [poll('C99')], before);
    expect(same).toMatchObject({ settings: { node: { config: { parameters: { channel: 'C99' } } } } });
    expect(asked).toEqual([]);
  });

  test.each([[null], [7], [{}], [{ kind: 'poll', settings: { node: 1 } }], [{ kind: 'webhook', settings: [] }]])(
    'that are none are left to the validation: %j',
    async (value) => {
      const resolver = resolverWith(listing([]).listChoices);
      expect(await resolvePickedTriggers(resolver, [value], [])).toEqual([value]);
    },
  );
});

describe('questions', () => {
  test('are counted and remembered over the replies of a proposal', async () => {
    const { asked, listChoices } = listing(many(3));
    const lookup = new ChoiceLookup({ credentials: [ACCOUNT], listChoices, signal: new AbortController().signal });
    for (const reply of [1, 2, 3]) {
      const resolver = new PickedValueResolver(lookup);
      await resolveOne(resolver, calling({ channel: 'channel-1' }));
      await resolveOne(resolver, calling({ channel: 'channel-2' }));
      expect(resolver.problems, String(reply)).toEqual([]);
    }
    expect(asked).toHaveLength(1);
    const list = { connectorId: 'slack', source: 'channels', isSearched: false, credentialId: 'cred_slack' };
    for (let n = 0; n < MAX_CHOICE_QUESTIONS; n += 1) await lookup.find({ ...list, values: { n: String(n) } }, 'x');
    expect(asked).toHaveLength(MAX_CHOICE_QUESTIONS);
    expect(await lookup.find({ ...list, values: {} }, 'channel-1')).toEqual({ choice: many(3)[1] });
    expect(await lookup.find({ ...list, values: { other: '1' } }, 'channel-1')).toContain('and no more');
  });

  test('end when the caller has gone', async () => {
    const ended = new AbortController();
    const { asked, listChoices } = listing(many(900));
    const stopping: NamedChoiceReader = (question) => {
      if (asked.length === 1) ended.abort(new Error('gone'));
      return listChoices(question);
    };
    const resolver = resolverWith(stopping, { signal: ended.signal });
    await expect(resolveOne(resolver, calling({ channel: 'no' }))).rejects.toThrow('gone');
    expect(asked).toHaveLength(2);
  });
});
