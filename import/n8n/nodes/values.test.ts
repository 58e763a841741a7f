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
    const all = imported(node('Move', 'moveBinaryData', { mode: 'jsonToBinary', destinationKey: 'x' }, 1));
    expect(all.byId['move_call']).toMatchObject({ type: 'convert', config: { from: 'text', to: 'file' } });
    expect(all.byId['move']?.config['expression']).toContain('n8n.fileOfFields(1,');
    const rows = imported(node('Sheet', 'spreadsheetFile', { fileFormat: 'xlsx' }, 2));
    expect(rows.byId['sheet_call']).toMatchObject({ type: 'convert', config: { from: 'xlsx', to: 'json' } });
    expect(imported(node('Days', 'extractFromFile', { operation: 'fromIcs' }, 1)).said['Days']?.[0]).toBe(
      'placeholder',
    );
  });

  it('of a feed are a request, and the items of its text', async () => {
    const { definition, byId } = imported(node('Feed', 'rssFeedRead', { url: 'https://example.com/feed' }, 1));
    expect(byId['feed_call']).toMatchObject({ config: { url: 'https://example.com/feed', responseType: 'text' } });
    expect(byId['feed']?.config['expression']).toBe('n8n.feedItems(1, { output: input, source: paired.feed_items })');
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
