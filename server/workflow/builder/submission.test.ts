import { describe, expect, test } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { formatDefinition } from './workspace-summary';
import { hideSecrets } from './hidden-secrets';
import { describeShape } from './shapes';
import { parseCallArguments, buildDefinition, type BuiltDefinition } from './submission';

const at = (x: number, y = 0) => ({ x, y });
const BEFORE: WorkflowDefinition = {
  nodes: [
    { id: 'start', type: 'start', position: at(40, 80), config: {} },
    {
      id: 'ask',
      type: 'http_request',
      position: at(400, 80),
      config: { url: 'https://api.example.com/orders?api_key=canary-1', headers: { Authorization: 'Bearer canary-2' } },
      credentialId: 'cred_old',
    },
    { id: 'mail', type: 'send_email', position: at(700, 200), config: { subject: 'Hi' } },
  ],
  connections: [
    { sourceNode: 'start', sourcePort: 'output', targetNode: 'ask', targetPort: 'input' },
    { sourceNode: 'ask', sourcePort: 'output', targetNode: 'mail', targetPort: 'input' },
  ],
  notes: [{ id: 'note', position: at(0), size: { width: 10, height: 10 }, text: 'Mine', color: 'yellow' }],
  groups: [
    { id: 'both', name: 'Both', nodeIds: ['ask', 'mail'] },
    { id: 'one', name: 'One', nodeIds: ['mail'] },
  ],
};
const wire = (source: string, target: string, port = 'output') => ({
  sourceNode: source,
  sourcePort: port,
  targetNode: target,
  targetPort: 'input',
});
const ground = (before = BEFORE, ...ids: string[]) => ({ before, credentialIds: new Set(ids) });
const built = (value: unknown, on = ground()): BuiltDefinition => {
  const made = buildDefinition(value, on);
  if ('issues' in made) throw new Error(JSON.stringify(made.issues));
  return made;
};
const node = (made: BuiltDefinition, id: string) => made.definition.nodes.find((one) => one.id === id)!;

describe('a submission', () => {
  test('changes the nodes that it names; all others keep everything, and new ones follow their sources', () => {
    const made = built({
      nodes: [
        {
          id: 'check',
          type: 'condition',
          config: { expression: 'input.body.total > 1' },
          position: at(9, 9),
          extra: 1,
        },
        { id: 'mail', type: 'send_email', name: 'Tell', config: { subject: 'Hello' } },
        { id: 'other', type: 'transform', config: {} },
      ],
      connections: [
        wire('start', 'ask'),
        wire('ask', 'check'),
        wire('check', 'mail', 'true'),
        wire('check', 'other', 'false'),
      ],
      summary: 'It checks.',
    });
    expect(made.definition.nodes.map(({ id }) => id)).toEqual(['start', 'ask', 'mail', 'check', 'other']);
    expect(node(made, 'ask')).toEqual(BEFORE.nodes[1]);
    expect(node(made, 'mail')).toEqual({
      id: 'mail',
      type: 'send_email',
      name: 'Tell',
      config: { subject: 'Hello' },
      position: at(700, 200),
    });
    expect(node(made, 'check')).not.toHaveProperty('extra');
    expect(node(made, 'check').position.x).toBe(720);
    expect(node(made, 'other').position.x).toBe(1040);
    expect(made).toMatchObject({
      summary: 'It checks.',
      problems: [],
      definition: { notes: BEFORE.notes, groups: BEFORE.groups },
    });
  });

  test('keeps the settings of a node that the model does not name, as long as its type stays', () => {
    const own = {
      retry: { maxAttempts: 3, backoffMs: 1 },
      timeoutMs: 5,
      notes: 'Mine',
      disabled: true,
      credentialId: 'cred_old',
    };
    const before: WorkflowDefinition = {
      nodes: [{ id: 'ask', type: 'http_request', position: at(1), config: { url: 'a' }, ...own }],
      connections: [],
    };
    const made = (more: object) =>
      built(
        { nodes: [{ id: 'ask', type: 'http_request', config: { url: 'b' }, ...more }], connections: [] },
        ground(before),
      ).definition.nodes;
    expect(made({})).toEqual([{ id: 'ask', type: 'http_request', position: at(1), config: { url: 'b' }, ...own }]);
    expect(made({ credentialId: null, disabled: false })).toMatchObject([{ disabled: false, timeoutMs: 5 }]);
    expect(made({ credentialId: null })[0]).not.toHaveProperty('credentialId');
    expect(made({ type: 'llm' })).toEqual([{ id: 'ask', type: 'llm', position: at(1), config: { url: 'b' } }]);
  });

  test('removes nodes, and groups without nodes', () => {
    const { definition } = built({ removed: ['mail'], connections: [wire('start', 'ask')] });
    expect(definition.nodes.map(({ id }) => id)).toEqual(['start', 'ask']);
    expect(definition.groups).toEqual([{ id: 'both', name: 'Both', nodeIds: ['ask'] }]);
  });

  test('places the nodes of loops, also where the model leaves their config out', () => {
    const body = {
      nodes: [
        { id: 'start', type: 'start' },
        {
          id: 'inner',
          type: 'for_each',
          config: { items: 'input.item', body: { nodes: [{ id: 's', type: 'start' }], connections: [] } },
        },
      ],
      connections: [wire('start', 'inner')],
    };
    const { definition } = built({
      nodes: [{ id: 'loop', type: 'for_each', config: { items: 'input', body } }],
      connections: [],
    });
    const drawn = definition.nodes.at(-1)!.config.body as WorkflowDefinition;
    expect(drawn.nodes.map(({ position }) => position)).toEqual([at(0), at(320)]);
    expect((drawn.nodes[1]!.config.body as WorkflowDefinition).nodes[0]).toMatchObject({ position: at(0), config: {} });
  });

  test('loses credentials that do not exist, everywhere; known ones and those that a node had stay', () => {
    const body = {
      nodes: [
        { id: 's', type: 'start', config: {} },
        { id: 'c', type: 'llm', config: {}, credentialId: 'cred_no' },
      ],
      connections: [],
    };
    const tools = [
      { name: 'a', type: 'http_request', config: { url: 'x' }, credentialId: 'cred_no' },
      { name: 'b', type: 'http_request', config: {}, credentialId: 'cred_own' },
    ];
    const made = built(
      {
        nodes: [
          { ...BEFORE.nodes[1], config: {} },
          { id: 'mail', type: 'send_email', config: {}, credentialId: 'cred_old' },
          { id: 'ai', type: 'agent', config: { tools }, credentialId: 'cred_own' },
          { id: 'loop', type: 'for_each', config: { body } },
        ],
        connections: [],
      },
      ground(BEFORE, 'cred_own'),
    );
    expect([node(made, 'ask').credentialId, node(made, 'ai').credentialId]).toEqual(['cred_old', 'cred_own']);
    expect(JSON.stringify(made.definition)).not.toContain('cred_no');
    expect(made.problems).toEqual(
      [
        'nodes[2].credentialId',
        'nodes[3].config.tools[0].credentialId',
        'nodes[4].config.body.nodes[1].credentialId',
      ].map((field) => ({ field, message: 'needs a credential' })),
    );
  });
});

describe('texts that look like secrets', () => {
  test('are not told', () => {
    const text = formatDefinition(BEFORE);
    expect(text).not.toContain('canary');
    expect(text).not.toContain('position');
    expect(text).toContain('https://api.example.com/orders?api_key=(hidden)');
    const others = {
      url: 'https://me:canary@example.com',
      source: 'const k = "sk-canary0123456789abcdef"; ghp_canary0123456789abcdef0123',
      headers: { 'x-api-key': 'canary', authorization: '{{ vars.KEEP }}', accept: 'text/plain' },
      maxTokens: 5,
    };
    const hidden = JSON.stringify(hideSecrets(others));
    expect(hidden).not.toContain('canary');
    for (const kept of ['example.com', 'vars.KEEP', 'text/plain', '5']) expect(hidden).toContain(kept);
  });

  test('come back only where they were', () => {
    const config = {
      url: 'https://api.example.com/orders?api_key=(hidden)',
      headers: { Authorization: '(hidden)', 'x-other': '(hidden)' },
      method: 'POST',
    };
    const nodes = [
      { id: 'ask', type: 'http_request', config },
      {
        id: 'thief',
        type: 'http_request',
        config: { url: 'https://evil.example/?(hidden)', headers: { Authorization: '(hidden)' } },
      },
    ];
    const made = built({ nodes, connections: [] });
    expect(node(made, 'ask').config).toEqual({
      url: 'https://api.example.com/orders?api_key=canary-1',
      headers: { Authorization: 'Bearer canary-2', 'x-other': '' },
      method: 'POST',
    });
    expect(JSON.stringify(node(made, 'thief'))).not.toMatch(/canary|hidden/);
    expect(made.problems.map(({ field }) => field)).toEqual([
      'nodes[1].config.headers.x-other',
      'nodes[3].config.url',
      'nodes[3].config.headers.Authorization',
    ]);
    // The address of another host does not get the key of the first one.
    const moved = built({
      nodes: [{ id: 'ask', type: 'http_request', config: { url: 'https://evil.example/?api_key=(hidden)' } }],
      connections: [],
    });
    expect(JSON.stringify(node(moved, 'ask'))).not.toContain('canary');
  });
});

describe('what a model writes is not trusted', () => {
  test.each([
    ['no JSON', '{"nodes": ['],
    ['too long', JSON.stringify('x'.repeat(600_000))],
    ['too deep', '['.repeat(5000) + ']'.repeat(5000)],
    ['far too deep', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
  ])('%s', (_, json) => {
    expect(parseCallArguments(json)).toEqual({ problem: expect.any(String) });
  });

  test('keys of prototypes are dropped', () => {
    const given = parseCallArguments(
      '{"nodes":[{"id":"a","type":"transform","config":{"fields":{"__proto__":{"polluted":1},"ok":1}}}],"connections":[],"__proto__":{"removed":["start"]}}',
    );
    if ('problem' in given) throw new Error(given.problem);
    const made = built(given.value);
    expect(node(made, 'a').config).toEqual({ fields: { ok: 1 } });
    expect(Object.keys(node(made, 'a').config['fields'] as object)).toEqual(['ok']);
    expect(node(made, 'start')).toBeDefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.each([
    null,
    [],
    'text',
    {},
    { nodes: 'all', connections: [] },
    { nodes: [null], connections: [] },
    { nodes: [{ id: 'a', type: 'start', config: [] }], connections: [] },
    {
      nodes: [
        { id: 'a', type: 'x' },
        { id: 'a', type: 'y' },
      ],
      connections: [],
    },
    { nodes: Array.from({ length: 301 }, (_, n) => ({ id: `n${n}`, type: 'start' })), connections: [] },
    { nodes: [], connections: [null] },
  ])('%j is refused with issues', (value) => {
    expect(buildDefinition(value, ground())).toEqual({
      issues: expect.arrayContaining([expect.objectContaining({ message: expect.any(String) })]),
    });
  });

  test.each([
    { nodes: [null], connections: [] },
    { nodes: [{ id: 1, type: {}, config: 'x' }], connections: [{ sourceNode: [] }] },
    { nodes: {}, connections: null },
    'text',
    null,
  ])('a body of %j is left to the validation', (body) => {
    const made = built({
      nodes: [
        { id: 'loop', type: 'for_each', config: { body } },
        { id: 'ai', type: 'agent', config: { tools: body } },
      ],
      connections: [wire('loop', 'loop')],
    });
    expect(node(made, 'loop')).toBeDefined();
  });
});

test('the shape of data has names and types, no values and no keys that are data', () => {
  const value = {
    orders: [{ id: 7, 'first name': 'Ada', paid: true, tags: [] }],
    'ada@example.com': 1,
    4711: 2,
    gone: null,
  };
  expect(describeShape(value)).toBe(
    '{orders: [{id: number, first name: text, paid: boolean, tags: []}], gone: null, …}',
  );
  const wide = describeShape(Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`f${n}`, { a: 1 }])));
  expect(wide.length).toBeLessThan(2000);
});
