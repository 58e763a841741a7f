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
  it('become files', () => {
    const { byId } = imported(
      node(
        'File',
        'convertToFile',
        { operation: 'toBinary', sourceProperty: 'a.b', options: { fileName: 'x.png' } },
        1,
      ),
    );
    expect(byId['file_call']).toMatchObject({
      type: 'convert',
      config: { from: 'base64', to: 'file', options: { name: 'x.png' } },
    });
    const former = imported(node('Move', 'moveBinaryData', { mode: 'jsonToBinary' }, 1));
    expect(former.byId['move']).toMatchObject({ type: 'convert', config: { from: 'json', to: 'text' } });
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
  expect(byId['get_call']?.config).toMatchObject({ redirect: 'manual', headers: { 'X-Own': '1' } });
  expect(byId['get_call']?.config['headers']).not.toHaveProperty('Content-Length');
  expect(said['Get']?.[1]).toContain('with digest');
});
