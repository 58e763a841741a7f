import { expect, it } from 'vitest';
import { changeLosesSecrets } from '@/server/connectors/custom/secrets';
import type { ApiConnection, ApiOperation } from '@/server/evaluation/openapi/record';
import { diffConnectorOperations } from './changes';

const frame = (server: string, servers: Record<string, string> = {}, header = 'X-Key'): ApiConnection => ({
  server,
  servers,
  probe: null,
  authentication: {
    isRequired: true,
    token: {
      title: 'Key',
      fields: [{ name: 'key', title: 'Key', hint: '', isSecret: true }],
      headers: { [header]: '{key}' },
      query: {},
      basic: null,
    },
    oauth: null,
  },
});

const operation = (id: string, more: Partial<ApiOperation> = {}): ApiOperation => ({
  id,
  title: id,
  help: '',
  group: null,
  method: 'GET',
  path: `/${id}`,
  parameters: [],
  ...more,
});

const stored = (record: ApiOperation, isRemoved = false) => ({ record: record as never, isRemoved });
const idsOf = (operations: ApiOperation[]) => operations.map(({ id }) => id);

it('tells what is added, changed and removed, and keeps what is used', () => {
  const before = frame('https://a.example');
  const { added, changed, removed, operations } = diffConnectorOperations(
    [
      stored(operation('same')),
      stored(operation('other')),
      stored(operation('used')),
      stored(operation('unused')),
      stored(operation('back'), true),
    ],
    before,
    {
      frame: before,
      operations: [
        operation('same', { title: 'Same, in other words' }),
        operation('other', { path: '/moved' }),
        operation('new'),
        operation('back'),
      ],
    },
    new Set(['used']),
  );
  expect([added, changed, removed].map(idsOf)).toEqual([['new', 'back'], ['other'], ['used', 'unused']]);
  expect(operations.filter(({ isRemoved }) => isRemoved).map(({ record }) => record.id)).toEqual(['used']);
});

it('keeps the server of an operation that is removed, also where its name means another one now', () => {
  const before = frame('https://a.example', { server1: 'https://upload.example' });
  const after = {
    frame: frame('https://a.example', { server1: 'https://other.example' }),
    operations: [operation('new', { api: 'server1' })],
  };
  const { frame: next, operations } = diffConnectorOperations(
    [stored(operation('upload', { api: 'server1' }))],
    before,
    after,
    new Set(['upload']),
  );
  expect(next.servers).toEqual({ server1: 'https://other.example', kept1: 'https://upload.example' });
  expect(operations.map(({ record }) => record.api)).toEqual(['server1', 'kept1']);
});

it.each<[string, ApiConnection, ApiConnection, boolean]>([
  ['the same server', frame('https://a.example/v1'), frame('https://a.example/v2'), false],
  ['fewer servers', frame('https://a.example', { b: 'https://b.example' }), frame('https://a.example'), false],
  ['another server', frame('https://a.example'), frame('https://b.example'), true],
  ['a further server', frame('https://a.example'), frame('https://a.example', { b: 'https://b.example' }), true],
  ['the same host without TLS', frame('https://a.example'), frame('http://a.example'), true],
  ['another port', frame('https://a.example'), frame('https://a.example:8443'), true],
  ['another header', frame('https://a.example'), frame('https://a.example', {}, 'X-Other'), true],
])('secrets and %s', (_, before, after, isLost) => expect(changeLosesSecrets(before, after)).toBe(isLost));
