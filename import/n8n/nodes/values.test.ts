import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { importN8n } from '../convert';

const node = (name: string, type: string, parameters: object = {}, typeVersion = 3.4) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
  typeVersion,
  position: [0, 0],
});
const set = (name: string, value: string) =>
  node(name, 'set', { assignments: { assignments: [{ name: 'x', value, type: 'string' }] } });

/** The import of nodes behind a start. */
function imported(...chain: ReturnType<typeof node>[]) {
  const nodes = [node('Go', 'manualTrigger'), ...chain];
  const connections = Object.fromEntries(
    chain.map(({ name }, index) => [nodes[index]?.name ?? '', { main: [[{ node: name, type: 'main', index: 0 }]] }]),
  );
  const { definition, report } = importN8n({ name: 'Theirs', nodes, connections });
  const byId = Object.fromEntries(definition.nodes.map((one) => [one.id, one]));
  const said = Object.fromEntries(report.map(({ node: name, outcome, message }) => [name, [outcome, message]]));
  return { definition, byId, said };
}
const evaluated = async (code: unknown, input: object): Promise<unknown> =>
  JSON.parse(JSON.stringify((await jsonata(String(code)).evaluate({ input })) ?? null));

describe('values of n8n', () => {
  it('are signed with a key', () => {
    const { byId, said } = imported(
      node('Sign', 'crypto', {
        action: 'hmac',
        type: 'SHA256',
        value: '={{ $json.text }}',
        secret: 'key',
        encoding: 'base64',
      }),
    );
    expect(byId['sign']?.config['expression']).toBe(
      '$merge([input, { "data": $hmac(input.text, "key", "sha256", "base64") }])',
    );
    expect(said['Sign']).toEqual(['converted', 'Its key is a part of the workflow.']);
    expect(imported(node('Sign', 'crypto', { action: 'sign' })).said['Sign']?.[0]).toBe('placeholder');
  });

  it('are dates of the first version of its node', () => {
    const time = (parameters: object) =>
      imported(node('At', 'dateTime', parameters, 1)).byId['at']?.config['expression'];
    expect(time({ value: '={{ $json.at }}', toFormat: 'dddd, DD.MM.YYYY [at] HH:mm' })).toBe(
      `$merge([input, { "data": $formatDate(input.at, "EEEE, dd.MM.yyyy 'at' HH:mm") }])`,
    );
    expect(
      time({ action: 'calculate', value: '={{ $json.at }}', operation: 'subtract', duration: 2, timeUnit: 'weeks' }),
    ).toBe('$merge([input, { "data": $addTime(input.at, -2, "weeks") }])');
    expect(time({ value: 'x', toFormat: 'Do' })).toBe('input');
  });

  it('are split with the other fields', async () => {
    const split = (include: string) =>
      imported(node('Split', 'splitOut', { fieldToSplitOut: 'lines', include, fieldsToInclude: 'id' }, 1)).byId['split']
        ?.config['expression'];
    const input = { id: 1, note: 'n', lines: ['a', 'b'] };
    expect(await evaluated(split('allOtherFields'), input)).toEqual([
      { id: 1, note: 'n', lines: 'a' },
      { id: 1, note: 'n', lines: 'b' },
    ]);
    expect(await evaluated(split('selectedOtherFields'), input)).toEqual([
      { id: 1, lines: 'a' },
      { id: 1, lines: 'b' },
    ]);
    const twice = imported(
      node('Rows', 'splitOut', { fieldToSplitOut: 'rows' }, 1),
      node('Split', 'splitOut', { fieldToSplitOut: 'lines', include: 'allOtherFields' }, 1),
    );
    const rows = [
      { id: 1, lines: [{ a: 1 }] },
      { id: 2, lines: [{ a: 2 }, { a: 3 }] },
    ];
    const each = await jsonata(String(twice.byId['split']?.config['expression'])).evaluate({ input: rows });
    expect(JSON.parse(JSON.stringify(each))).toEqual([
      { id: 1, lines: { a: 1 } },
      { id: 2, lines: { a: 2 } },
      { id: 2, lines: { a: 3 } },
    ]);
  });

  it('become files', () => {
    const { byId } = imported(
      node(
        'File',
        'convertToFile',
        { operation: 'toBinary', sourceProperty: 'a.b', options: { fileName: 'x.png' } },
        1,
      ),
    );
    expect(byId['file']).toMatchObject({
      type: 'convert',
      config: { value: '{{ input.a.b }}', from: 'base64', to: 'file', options: { name: 'x.png' } },
    });
    const former = imported(node('Move', 'moveBinaryData', { mode: 'jsonToBinary' }, 1));
    expect(former.byId['move']).toMatchObject({ type: 'convert', config: { from: 'json', to: 'text' } });
  });

  it('are compared with patterns', () => {
    const test = (operation: string, rightValue: string) => {
      const condition = { leftValue: '={{ $json.mail }}', rightValue, operator: { type: 'string', operation } };
      return imported(node('If', 'if', { conditions: { conditions: [condition] } }, 2));
    };
    expect(test('regex', '^.+@example').byId['if']?.config['expression']).toBe(
      '$contains(input.mail & "", /^.+@example/)',
    );
    expect(test('notRegex', '/^A/i').byId['if']?.config['expression']).toBe(
      '$contains(input.mail & "", /^A/i) ? false : true',
    );
    expect(test('regex', '(?<=a)b').said['If']?.[0]).toBe('partly');
  });

  it('of a feed are a request, its XML, and its items', async () => {
    const { definition, byId } = imported(
      node('Feed', 'rssFeedRead', { url: 'https://example.com/feed' }, 1),
      set('Then', '={{ $json.title }}'),
    );
    expect(definition.nodes.map(({ type }) => type)).toEqual([
      'start',
      'http_request',
      'convert',
      'transform',
      'transform',
    ]);
    const code = String(byId['feed_items']?.config['expression']).replaceAll('$parseDate', '$string');
    const rss = {
      rss: { channel: { item: [{ title: 'A', link: 'https://a', guid: { '#text': 'g' }, pubDate: 'now' }] } },
    };
    expect(await evaluated(code, rss)).toMatchObject([{ title: 'A', link: 'https://a', guid: 'g', isoDate: 'now' }]);
    const atom = {
      feed: { entry: { title: { '#text': 'B' }, link: { '@href': 'https://b' }, id: 'i', updated: 'now' } },
    };
    expect(await evaluated(code, atom)).toMatchObject([{ title: 'B', link: 'https://b', guid: 'i', pubDate: 'now' }]);
    expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
  });
});

it('requests keep whether they follow redirects, without headers that cannot be sent', () => {
  const parameters = {
    url: 'https://example.com',
    authentication: 'genericCredentialType',
    genericAuthType: 'httpDigestAuth',
    sendHeaders: true,
    headerParameters: {
      parameters: [
        { name: 'Content-Length', value: '3' },
        { name: 'X-Own', value: '1' },
      ],
    },
    options: { redirect: { redirect: { followRedirects: false } } },
  };
  const { byId, said } = imported(node('Get', 'httpRequest', parameters));
  expect(byId['get']?.config).toMatchObject({ redirect: 'manual', headers: { 'X-Own': '1' } });
  expect(byId['get']?.config['headers']).not.toHaveProperty('Content-Length');
  expect(said['Get']?.[1]).toContain('with digest');
});

describe('the item of another list', () => {
  const rows = node('Rows', 'splitOut', { fieldToSplitOut: 'rows' }, 1);
  const last = set('Last', "={{ $('Rows').item.json.id }}");
  const codeOf = (...chain: ReturnType<typeof node>[]) =>
    imported(rows, ...chain, last).byId['last']?.config['expression'];
  const THEIRS = '($key := $index; (nodes.rows)[$key]).id';

  it('is found by its number, as long as each node gives one for one', () => {
    expect(codeOf(set('Map', '1'))).toContain(THEIRS);
    expect(codeOf(node('Get', 'httpRequest', { url: 'https://example.com' }))).toContain(THEIRS);
    expect(codeOf(node('Wait', 'wait'), set('Map', '1'))).toContain(THEIRS);
  });

  it('is the same behind a choice of items or another order', () => {
    const sort = node('Sort', 'sort', { sortFieldsUi: { sortField: [{ fieldName: 'id' }] } }, 1);
    expect(codeOf(sort, set('Map', '1'))).toContain('($key := $index; (nodes.sort)[$key]).id');
    const condition = { leftValue: '={{ $json.id }}', rightValue: 1, operator: { type: 'number', operation: 'gt' } };
    const filter = node('Filter', 'filter', { conditions: { conditions: [condition] } }, 2);
    expect(codeOf(filter)).toContain('($key := $index; (nodes.filter)[$key]).id');
  });

  it('is not known behind items that were made, and chosen then', () => {
    const sort = node('Sort', 'sort', { sortFieldsUi: { sortField: [{ fieldName: 'id' }] } }, 1);
    const { said } = imported(rows, set('Map', '1'), sort, last);
    expect(said['Last']).toMatchObject(['partly', expect.stringContaining('belongs to this one')]);
    const code = imported(rows, node('Code', 'code', { jsCode: 'return items;' }, 2), last);
    expect(code.said['Last']?.[0]).toBe('partly');
  });

  it('in a loop is that of the round', () => {
    const nodes = [node('Go', 'manualTrigger'), rows, node('Loop', 'splitInBatches', {}, 3), last];
    const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
    const connections = {
      Go: { main: [to('Rows')] },
      Rows: { main: [to('Loop')] },
      Loop: { main: [[], to('Last')] },
      Last: { main: [to('Loop')] },
    };
    const { definition } = importN8n({ name: 'Theirs', nodes, connections });
    expect(JSON.stringify(definition)).toContain('{{ ($key := nodes.loop_item.index; (nodes.rows)[$key]).id }}');
  });
});
