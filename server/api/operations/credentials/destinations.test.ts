import { beforeAll, describe, expect, test } from 'vitest';
import { destinationFields, secretFieldNames, type CredentialType } from '@/contract/credentials/credential';
import { findBuiltInConnector, builtInConnectors } from '@/server/connectors';
import type { ConnectorDefinition, TokenField } from '@/server/connectors/connector';
import { isConnectorCredential } from '@/server/connectors/lookup';
import { credentialConfigSchema } from '@/server/connectors/config';
import { sampleToken } from '@/server/connectors/testing/samples';
import { openCredentials } from '@/server/connectors/vault';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { pickShard } from '@/server/testing/shards';

useDatabase();

let user: TestUser;
beforeAll(async () => {
  user = await buildUser();
});

type Config = Record<string, unknown>;

interface Kind {
  type: CredentialType;
  connectorId: string | null;
  /** Every possible secret of one way to configure it. */
  secrets: Config;
  /** The names of those of another way. */
  otherSecrets?: string[];
  /** Other required fields. */
  common: Config;
  /** Two values of each address. */
  addresses: Record<string, [unknown, unknown]>;
  /** Addresses without which this way is incomplete, although their schema is optional. */
  needed?: string[];
}

const url = (field: string): [string, string] => [`https://one.example/${field}`, `https://two.example/${field}`];
const pin = (letter: string) => `SHA256:${letter.repeat(43)}`;
const certificate = (letter: string) => `-----BEGIN CERTIFICATE-----${letter}`;
const tokens = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1' };
const further = { tokenParameters: { audience: 'audience-1' } };
const client = { clientId: 'client', clientSecret: 'client-secret-1' };

const SLOTS: Record<string, [string, string]> = {
  shop: ['one.myshopify.com', 'two.myshopify.com'],
  host: ['one.example', 'two.example'],
  instance: ['one', 'two'],
  tenant: ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'],
};

const slotsOf = ({ parameters = [] }: ConnectorDefinition): Kind['addresses'] =>
  Object.fromEntries(parameters.map(({ name }) => [name, SLOTS[name] ?? [name, `${name}2`]]));

const ofConnectors = builtInConnectors
  .filter(({ flow }) => flow !== 'token')
  .map((connector): Kind => {
    const { id, account } = connector;
    const host = account?.hosts[0]?.replace('*.', '') ?? 'api.example';
    return {
      type: 'oauth2',
      connectorId: id,
      secrets: { clientSecret: 'client-secret-1', ...tokens, ...further },
      common: { clientId: 'client' },
      addresses: {
        instanceUrl: [`https://one.${host}`, `https://two.${host}`],
        accountId: ['one', 'two'],
        ...slotsOf(connector),
      },
    };
  });

const ofTokens = builtInConnectors.flatMap((connector): Kind[] => {
  const { id, token } = connector;
  if (!token) return [];
  const config = sampleToken(connector);
  const value = ({ name, pattern }: TokenField) => {
    expect(pattern === undefined || pattern.test(config[name] ?? ''), `${id}.${name}`).toBe(true);
    return [name, config[name]] as const;
  };
  const secrets = token.fields.filter(({ isSecret }) => isSecret);
  const others = token.fields.filter(({ isSecret }) => !isSecret);
  return [
    {
      type: 'token',
      connectorId: id,
      secrets: Object.fromEntries(secrets.map(value)),
      common: Object.fromEntries(others.map(value)),
      addresses: slotsOf(connector),
    },
  ];
});

const KINDS: Kind[] = [
  { type: 'api_key', connectorId: null, secrets: { apiKey: 'api-key-1' }, common: {}, addresses: {} },
  {
    type: 'basic_auth',
    connectorId: null,
    secrets: { password: 'password-1' },
    common: { username: 'ada' },
    addresses: { digest: [true, false] },
  },
  {
    type: 'custom',
    connectorId: null,
    secrets: { headers: { 'X-Key': 'header-1' }, query: { key: 'query-1' } },
    common: {},
    addresses: {},
  },
  {
    type: 'basic_auth',
    connectorId: 'smtp',
    secrets: { password: 'password-1' },
    common: { username: 'ada' },
    addresses: { host: ['mail.one.example', 'mail.two.example'], port: [587, 2525], secure: [true, false] },
  },
  {
    type: 'ssh',
    connectorId: null,
    secrets: { password: 'password-1', privateKey: 'private-key-1', passphrase: 'passphrase-1' },
    common: { username: 'ada' },
    addresses: { host: ['one.example', 'two.example'], port: [22, 2222], hostKey: [pin('a'), pin('b')] },
  },
  {
    type: 'ftp',
    connectorId: null,
    secrets: { password: 'password-1' },
    common: { username: 'ada' },
    addresses: {
      host: ['one.example', 'two.example'],
      port: [21, 2121],
      tls: ['explicit', 'none'],
      ca: [certificate('a'), certificate('b')],
    },
  },
  {
    type: 'oauth2',
    connectorId: null,
    secrets: { clientSecret: client.clientSecret, ...tokens, ...further },
    common: { clientId: client.clientId },
    addresses: {
      authorizeUrl: url('authorize'),
      tokenUrl: url('token'),
      instanceUrl: url('instance'),
    },
  },
  {
    type: 'aws',
    connectorId: null,
    secrets: { secretAccessKey: 'secret-key-1', sessionToken: 'session-token-1' },
    common: { accessKeyId: 'AKIDEXAMPLE' },
    addresses: {},
  },
  {
    type: 'redis',
    connectorId: null,
    secrets: { password: 'password-1' },
    common: {},
    addresses: {
      host: ['one.example', 'two.example'],
      port: [6379, 6380],
      tls: ['verify', 'off'],
      ca: ['-----BEGIN CERTIFICATE-----\none', '-----BEGIN CERTIFICATE-----\ntwo'],
    },
  },
  {
    type: 'mongodb',
    connectorId: null,
    secrets: { password: 'password-1' },
    // In place of all the rest.
    otherSecrets: ['connectionString'],
    needed: ['host'],
    common: { username: 'ada' },
    addresses: {
      host: ['one.example', 'two.example'],
      port: [27_017, 27_018],
      tls: ['verify', 'off'],
      ca: ['-----BEGIN CERTIFICATE-----\none', '-----BEGIN CERTIFICATE-----\ntwo'],
    },
  },
  ...ofConnectors,
  ...ofTokens,
];

const store = async ({ type, connectorId }: Kind, config: Config): Promise<string> => {
  const body = { name: 'x', type, connectorId, config };
  const made = await call<{ id: string }>('POST', '/api/credentials', { token: user.token, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
};
const put = (id: string, config: Config) =>
  call<Refused>('PUT', `/api/credentials/${id}`, { token: user.token, body: { config } });
const opened = async (id: string) => (await openCredentials(user.workspaceId, [id])).get(id)!;

/** The change is refused, names all secrets, and stores nothing. */
async function expectRefused(id: string, change: Config, field: string, lacking: string[]): Promise<void> {
  const before = await prismaClient().credential.findUniqueOrThrow({ where: { id } });
  const { status, body } = await put(id, change);
  expect(status, JSON.stringify([change, body])).toBe(400);
  expect(body.error.code).toBe('VALIDATION_ERROR');
  const message = `must be given again, because ${field} changed`;
  expect(body.error.details).toEqual(lacking.map((name) => ({ field: `config.${name}`, message })));
  expect(await prismaClient().credential.findUniqueOrThrow({ where: { id } })).toEqual(before);
}

/** Other values of the same secrets. */
const anew = (secrets: Config): Config => JSON.parse(JSON.stringify(secrets).replaceAll('-1"', '-2"')) as Config;

const without = (config: Config, ...fields: string[]): Config =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !fields.includes(name)));

const named = KINDS.map((kind) => [`${kind.type} ${kind.connectorId ?? ''}`.trim(), kind] as const);

describe.each(pickShard(named))('%s', (_, kind) => {
  const schema = credentialConfigSchema({
    ...kind,
    connector: isConnectorCredential(kind.type) ? findBuiltInConnector(kind.connectorId) : undefined,
  });
  const fields = Object.keys(destinationFields(schema));
  const secrets = Object.keys(kind.secrets);
  const firsts = Object.fromEntries(Object.entries(kind.addresses).map(([field, [first]]) => [field, first]));
  const known: Config = { ...kind.common, ...firsts };
  const isOptional = (field: string) => schema.shape[field]!.safeParse(undefined).success;

  test('the test covers every destination and every secret', () => {
    const hosts = 'allowedHosts' in schema.shape ? ['allowedHosts'] : [];
    expect(fields.toSorted()).toEqual([...Object.keys(kind.addresses), ...hosts].toSorted());
    expect([...secrets, ...(kind.otherSecrets ?? [])].toSorted()).toEqual(secretFieldNames(schema).toSorted());
  });

  test('changes without a new destination keep the secrets', async () => {
    const id = await store(kind, { ...known, ...kind.secrets });
    expect((await put(id, known)).status).toBe(200);
    expect((await opened(id)).config).toMatchObject(kind.secrets);
  });

  for (const [field, [first, second]] of Object.entries(kind.addresses)) {
    test(`${field} changes only together with all secrets`, async () => {
      const id = await store(kind, { ...known, ...kind.secrets });
      const moved = { ...known, [field]: second };
      await expectRefused(id, moved, field, secrets);
      const [one = '', ...others] = secrets;
      if (others.length > 0) await expectRefused(id, { ...moved, [one]: kind.secrets[one] }, field, others);
      expect((await put(id, { ...moved, ...anew(kind.secrets) })).status).toBe(200);
      expect((await opened(id)).config).toMatchObject({ ...anew(kind.secrets), [field]: second });
    });

    if (!isOptional(field) || kind.needed?.includes(field)) continue;
    test(`${field} is neither removed nor added without them, so that two steps do not work either`, async () => {
      const id = await store(kind, { ...known, ...kind.secrets });
      // The old value may have been the default.
      const isDefault = schema.shape[field]!.parse(undefined) === first;
      if (!isDefault) await expectRefused(id, without(known, field), field, secrets);
      const bare = await store(kind, { ...without(known, field), ...kind.secrets });
      const other = schema.shape[field]!.parse(undefined) === second ? first : second;
      // A receiver that has to prove something is one that was accepted before.
      if (destinationFields(schema)[field] === 'pin')
        expect((await put(bare, { ...known, [field]: other })).status).toBe(200);
      else await expectRefused(bare, { ...known, [field]: other }, field, secrets);
      const gone = { ...without(known, field), ...anew(kind.secrets) };
      expect((await put(id, gone)).status).toBe(200);
    });
  }

  if (!fields.includes('allowedHosts')) return;
  test('allowedHosts may narrow, and nothing else', async () => {
    const id = await store(kind, { ...known, ...kind.secrets, allowedHosts: ['*.one.example', 'two.example'] });
    const to = (allowedHosts?: string[]) => ({ ...known, ...(allowedHosts ? { allowedHosts } : {}) });
    const refused = (allowedHosts?: string[]) => expectRefused(id, to(allowedHosts), 'allowedHosts', secrets);
    await refused(['*.one.example', 'two.example', 'evil.example']);
    await refused(['evil.example']);
    await refused(['*.example']);
    await refused([]);
    await refused();
    expect((await put(id, to(['two.example', 'api.one.example']))).status).toBe(200);
    await refused(['*.one.example', 'two.example']);
    expect((await put(id, to(['two.example:8443']))).status).toBe(200);
    await refused(['two.example']);
    expect((await opened(id)).config).toMatchObject({ ...kind.secrets, allowedHosts: ['two.example:8443'] });
    expect((await put(id, { ...to(['evil.example']), ...anew(kind.secrets) })).status).toBe(200);
    expect((await opened(id)).config).toMatchObject(anew(kind.secrets));
  });

  test('without a list any host is allowed: adding one narrows', async () => {
    const id = await store(kind, { ...known, ...kind.secrets });
    expect((await put(id, { ...known, allowedHosts: ['one.example'] })).status).toBe(200);
    await expectRefused(id, known, 'allowedHosts', secrets);
  });
});

describe('tokens that the provider granted', () => {
  /** Marks the tokens as obtained by the service, instead of entered by a person. */
  const granted = (id: string) =>
    prismaClient().credential.update({ where: { id }, data: { grantedFields: ['accessToken', 'refreshToken'] } });
  const rowOf = (id: string) => prismaClient().credential.findUniqueOrThrow({ where: { id } });
  const own = KINDS.find(({ type, connectorId }) => type === 'oauth2' && connectorId === null)!;
  const config = { ...client, authorizeUrl: url('authorize')[0], tokenUrl: url('token')[0] };

  test('are removed if a destination changes, and the credential must be connected again', async () => {
    const id = await store(own, { ...config, ...tokens });
    await granted(id);
    const moved = { ...config, tokenUrl: url('token')[1] };
    await expectRefused(id, without(moved, 'clientSecret'), 'tokenUrl', ['clientSecret']);
    const before = await rowOf(id);
    expect((await put(id, moved)).status).toBe(200);
    const row = await rowOf(id);
    expect(row).toMatchObject({
      status: 'expired',
      secretFields: ['clientSecret'],
      grantedFields: [],
      expiresAt: null,
    });
    expect(row.tokenGeneration).toBe(before.tokenGeneration + 1);
    expect((await opened(id)).secrets).toEqual([client.clientSecret]);
  });

  test('of a client-credentials client are requested at the new address', async () => {
    const machine = without(config, 'authorizeUrl');
    const id = await store(own, { ...machine, ...tokens });
    await granted(id);
    expect((await put(id, { ...machine, tokenUrl: url('token')[1] })).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ status: 'active', secretFields: ['clientSecret'] });
  });

  test('count as entered after a person enters others', async () => {
    const id = await store(own, { ...config, ...tokens });
    await granted(id);
    expect((await put(id, { ...config, ...anew(tokens) })).status).toBe(200);
    expect((await rowOf(id)).grantedFields).toEqual([]);
    await expectRefused(id, { ...config, tokenUrl: url('token')[1] }, 'tokenUrl', ['accessToken', 'refreshToken']);
  });
});

describe('a registration of the workspace', () => {
  const register = (by: TestUser, body: object) =>
    call('PUT', '/api/connectors/sap/registration', { token: by.token, body: { ...client, ...body } });
  const at = (host: string) => ({ tokenUrl: `https://${host}/token`, apiUrl: `https://${host}/api` });

  test('that moves a connector removes the tokens of its credentials and pending authorizations', async () => {
    const [admin, other] = [await buildUser(), await buildUser()];
    const make = async (by: TestUser, connectorId: string) => {
      const body = { name: 'x', type: 'oauth2', connectorId, config: tokens };
      return (await call<{ id: string }>('POST', '/api/credentials', { token: by.token, body })).body.id;
    };
    const secretsOf = async (id: string) =>
      (await prismaClient().credential.findUniqueOrThrow({ where: { id } })).secretFields;
    for (const by of [admin, other]) expect((await register(by, at('one.example'))).status).toBe(200);
    const [mine, theirs, hubspot] = [await make(admin, 'sap'), await make(other, 'sap'), await make(admin, 'hubspot')];
    expect((await register(admin, { ...at('one.example'), clientId: 'another' })).status).toBe(200);
    expect(await secretsOf(mine)).toEqual(['accessToken', 'refreshToken']);
    const { tokenUrl, apiUrl } = at('two.example');
    for (const moved of [
      { ...at('one.example'), apiUrl },
      { tokenUrl, apiUrl },
    ]) {
      const id = await make(admin, 'sap');
      expect((await register(admin, moved)).status).toBe(200);
      expect(await secretsOf(id)).toEqual([]);
      expect((await openCredentials(admin.workspaceId, [id])).get(id)!.secrets).toEqual([]);
    }
    const last = await make(admin, 'sap');
    expect((await call('DELETE', '/api/connectors/sap/registration', { token: admin.token })).status).toBe(204);
    expect([await secretsOf(mine), await secretsOf(last)]).toEqual([[], []]);
    expect([await secretsOf(theirs), await secretsOf(hubspot)]).toEqual([
      ['accessToken', 'refreshToken'],
      ['accessToken', 'refreshToken'],
    ]);
  });
});
