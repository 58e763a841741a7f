import { expect, it } from 'vitest';
import { planN8nImport } from './plan';

const at = (index: number) => [200 * (index % 25), 200 * Math.floor(index / 25)];
const node = (name: string, type: string, parameters: object, index = 0, more: object = {}) => ({
  name,
  type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
  typeVersion: 3,
  position: at(index),
  parameters,
  ...more,
});
const link = (to: string, type = 'main') => ({ node: to, type, index: 0 });
const names = (count: number, before = 'n') => Array.from({ length: count }, (_, index) => `${before} ${index}`);
/** Each node leads to the next one. */
const chain = (all: readonly string[]) =>
  Object.fromEntries(all.slice(0, -1).map((name, index) => [name, { main: [[link(all[index + 1] ?? '')]] }]));
/** A file without spaces between its parts has at most 3 MiB. */
const SIZE = 2_800_000;
const field = (value: string) => ({ assignments: { assignments: [{ name: 'a', type: 'string', value }] } });
const expressions = (count: number, source: string) => `=${`{{ ${source} }} `.repeat(count)}`;

/** Files that are as large as one may be, by what they have much of. */
const LARGE_FILES: Readonly<Record<string, () => object>> = {
  'names of other nodes in long expressions': () => {
    const all = names(500);
    const each = Math.floor(SIZE / 500);
    const text = (index: number) => {
      const reads = Array.from({ length: Math.floor(each / 40) }, (_, one) => `$('n ${(index + one) % 500}').all()`);
      return expressions(1, `[${reads.join(', ')}].length`);
    };
    return { nodes: all.map((name, index) => node(name, 'set', field(text(index)), index)), connections: chain(all) };
  },
  'long names that begin alike, in loops': () => {
    const all = names(250, 'x'.repeat(3000));
    const read = all.map((name) => `$('${name}')`);
    const connections = Object.fromEntries(
      all.map((name, index) => [name, { main: [[], [link(all[index - (index % 2)] ?? '')]] }]),
    );
    const made = all.map((name, index) =>
      node(name, index % 2 === 0 ? 'splitInBatches' : 'set', field(`={{ ${read[index] ?? ''}.all() }}`), index),
    );
    return { nodes: made, connections: { ...chain(all), ...connections } };
  },
  'pinned data of all nodes': () => {
    const all = names(500);
    const items = Array.from({ length: 50 }, (_, index) => ({ json: { id: index, text: 'x'.repeat(60) } }));
    return {
      nodes: all.map((name, index) => node(name, index % 2 ? 'httpRequest' : 'noOp', {}, index)),
      connections: chain(all),
      pinData: Object.fromEntries(all.map((name) => [name, items])),
    };
  },
  'openings of names that never end': () => {
    const all = names(100);
    const text = `={{ ${'$("'.repeat(SIZE / 100 / 4)} }}`;
    return { nodes: all.map((name, index) => node(name, 'set', field(text), index)), connections: chain(all) };
  },
  'requests whose errors others may read': () => {
    const all = names(500);
    const text = `{{ ${'x'.repeat(Math.floor(SIZE / 500) - 300)}`;
    const made = all.map((name, index) =>
      node(name, 'httpRequest', { url: 'https://a.example', note: text }, index, { onError: 'continueRegularOutput' }),
    );
    return { nodes: made, connections: chain(all) };
  },
  'nodes in one circle with many exits': () => {
    const inside = names(250, 'in');
    const outside = names(249, 'out');
    const connections = Object.fromEntries(
      inside.map((name, index) => [
        name,
        {
          main: Array.from({ length: 19 }, (_, one) => [link(one === 0 ? `in ${(index + 1) % 250}` : `out ${index}`)]),
        },
      ]),
    );
    const all = ['Go', ...inside, ...outside];
    return {
      nodes: all.map((name, index) => node(name, index === 0 ? 'manualTrigger' : 'noOp', {}, index)),
      connections: { ...connections, Go: { main: [[link('in 0')]] } },
    };
  },
  'circles of one node': () => {
    const all = names(499);
    const connections = Object.fromEntries(
      all.map((name, index) => [name, { main: [[link(name)], [link(all[index + 1] ?? name)]] }]),
    );
    return {
      nodes: [node('Go', 'manualTrigger', {}), ...all.map((name, index) => node(name, 'if', {}, index))],
      connections: { ...connections, Go: { main: [[link('n 0')]] } },
    };
  },
  'circles in circles': () => {
    const all = names(499);
    const connections = Object.fromEntries(
      all.map((name, index) => [
        name,
        { main: [[link(all[index + 1] ?? name)], index < 250 ? [] : [link(`n ${498 - index}`)]] },
      ]),
    );
    return {
      nodes: [node('Go', 'manualTrigger', {}), ...all.map((name, index) => node(name, 'if', {}, index))],
      connections: { ...connections, Go: { main: [[link('n 0')]] } },
    };
  },
  'loops in loops': () => {
    const all = names(499);
    const connections = Object.fromEntries(
      all.map((name, index) => [
        name,
        { main: [[link(`n ${Math.max(index - 1, 0)}`)], [link(all[index + 1] ?? name)]] },
      ]),
    );
    return {
      nodes: [node('Go', 'manualTrigger', {}), ...all.map((name, index) => node(name, 'splitInBatches', {}, index))],
      connections: { ...connections, Go: { main: [[link('n 0')]] } },
    };
  },
  'connections between all nodes': () => {
    const all = names(499);
    const connections = Object.fromEntries(
      all.map((name, index) => [
        name,
        { main: [Array.from({ length: 10 }, (_, one) => link(`n ${(index * 7 + one * 31 + 1) % 499}`))] },
      ]),
    );
    return {
      nodes: [node('Go', 'manualTrigger', {}), ...all.map((name, index) => node(name, 'code', {}, index))],
      connections: { ...connections, Go: { main: [[link('n 0')]] } },
    };
  },
  'parts that all tools of a server share': () => {
    const [tools, parts] = [names(100), names(390, 'part')];
    const owners = { ai_tool: [tools.map((name) => link(name, 'ai_tool'))] };
    const code = 'return 1;'.repeat(200);
    return {
      nodes: [
        node('Server', '@n8n/n8n-nodes-langchain.mcpTrigger', {}),
        ...tools.map((name, index) => node(name, '@n8n/n8n-nodes-langchain.agentTool', {}, index)),
        ...parts.map((name, index) => node(name, '@n8n/n8n-nodes-langchain.toolCode', { jsCode: code }, index)),
      ],
      connections: {
        ...Object.fromEntries(tools.map((name) => [name, { ai_tool: [[link('Server', 'ai_tool')]] }])),
        ...Object.fromEntries(parts.map((name) => [name, owners])),
      },
    };
  },
  'parts of parts of a tool, and connections to it': () => {
    const all = names(20_000);
    const parts = all.slice(1).map((name, index) => [name, { ai_tool: [[link(all[index] ?? '', 'ai_tool')]] }]);
    return {
      nodes: [
        node('Server', '@n8n/n8n-nodes-langchain.mcpTrigger', {}),
        ...all.map((name) => ({ name, type: 'n8n-nodes-base.xTool' })),
      ],
      connections: { ...Object.fromEntries(parts), 'n 0': { ai_tool: [[link('Server', 'ai_tool')]] } },
    };
  },
  'connections between one part and one tool': () => ({
    nodes: [
      node('Server', '@n8n/n8n-nodes-langchain.mcpTrigger', {}),
      node('Tool', '@n8n/n8n-nodes-langchain.agentTool', {}),
      node('Part', '@n8n/n8n-nodes-langchain.toolCode', {}),
    ],
    connections: {
      Tool: { ai_tool: [[link('Server', 'ai_tool')]] },
      Part: { ai_tool: [Array.from({ length: 55_000 }, () => link('Tool', 'ai_tool'))] },
    },
  }),
  'a statement with many expressions': () => {
    const query = `SELECT a ${', b'.repeat(500_000)} FROM c WHERE d = 1${' AND e = {{ 1 }}'.repeat(4900)}`;
    return {
      nodes: [node('Go', 'manualTrigger', {}), node('Ask', 'postgres', { operation: 'executeQuery', query })],
      connections: { Go: { main: [[link('Ask')]] } },
    };
  },
  'parts of one agent': () => ({
    nodes: [
      node('Go', 'manualTrigger', {}),
      node('Agent', '@n8n/n8n-nodes-langchain.agent', {}),
      node('Tool', '@n8n/n8n-nodes-langchain.toolCode', {}),
    ],
    connections: {
      Go: { main: [[link('Agent')]] },
      Tool: { ai_tool: [Array.from({ length: 55_000 }, () => link('Agent', 'ai_tool'))] },
    },
  }),
  expressions: () => {
    const all = names(500);
    const text = expressions(9, `${'$json.a + '.repeat(50)}1`);
    return { nodes: all.map((name, index) => node(name, 'set', field(text), index)), connections: chain(all) };
  },
  'code with words of loops': () => {
    const all = names(100);
    const code = `${'$("a").context '.repeat(1500)}${'$node["'.repeat(500)}`;
    return { nodes: all.map((name, index) => node(name, 'code', { jsCode: code }, index)), connections: chain(all) };
  },
};

it.each(Object.keys(LARGE_FILES))('the largest file with %s is read in a moment', (name) => {
  const file = { name: 'Large', ...LARGE_FILES[name]?.() };
  const times = [1, 2].map(() => {
    const start = performance.now();
    try {
      planN8nImport(file);
    } catch (error) {
      expect(String(error)).toMatch(/larger than 1 MiB|At most 500 can be imported/);
    }
    return performance.now() - start;
  });
  expect(Math.min(...times)).toBeLessThan(1500);
});
