import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CredentialResponse } from '@/contract/credentials/credential';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { SEALED_COLUMNS } from '@/server/platform/db/rotate';
import { getRuntime } from '@/server/platform/runtime';
import { CLIENT } from '@/server/testing/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { listenOn, textOf } from '@/server/testing/listen';
import { openCredentialForNode } from '../credential-for-node';

useDatabase();

const AUDIENCE = 'https://api.example.com';
const MARK = 'a-further-secret';

/** A token endpoint that wants `audience`, as Auth0 does. */
const provider = { url: '', forms: [] as Record<string, string>[], answer: undefined as [number, object] | undefined };
let close: () => Promise<void>;
beforeEach(async () => {
  const listening = await listenOn(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await textOf(request)));
    provider.forms.push(form);
    const denied = { error: 'access_denied', error_description: 'No audience parameter was provided' };
    const granted = { access_token: `token-${provider.forms.length}`, refresh_token: 'refresh-1', expires_in: 3600 };
    const [status, body] = provider.answer ?? (form['audience'] === undefined ? [403, denied] : [200, granted]);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  Object.assign(provider, { url: listening.url, forms: [], answer: undefined });
  close = listening.close;
});
afterEach(() => close());

const machine = (more: object = {}) => ({
  clientId: 'client-1',
  clientSecret: 'client-secret-1',
  tokenUrl: `${provider.url}/token`,
  ...more,
});

const create = (user: TestUser, config: object) =>
  call<CredentialResponse & Refused>('POST', '/api/credentials', {
    token: user.token,
    body: { name: 'Machine', type: 'oauth2', config },
  });

async function stored(user: TestUser, config: object): Promise<string> {
  const { status, body } = await create(user, config);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

const use = (user: TestUser, id: string) => openCredentialForNode(user.workspaceId, id, () => undefined);
const change = (user: TestUser, id: string, config: object) =>
  call<CredentialResponse>('PUT', `/api/credentials/${id}`, { token: user.token, body: { config } });

describe('parameters of token requests', () => {
  it('are sent for the client itself, and shown nowhere', async () => {
    const user = await buildUser();
    const id = await stored(user, machine({ tokenParameters: { audience: AUDIENCE, mark: MARK } }));
    const { credential } = await use(user, id);
    expect(credential.config['accessToken']).toBe('token-1');
    expect(provider.forms).toMatchObject([{ grant_type: 'client_credentials', audience: AUDIENCE, mark: MARK }]);
    // Data has addresses everywhere; other values are searched for in what runs say.
    expect(credential.secrets).toContain(MARK);
    expect(credential.secrets).not.toContain(AUDIENCE);
    const read = await call<CredentialResponse>('GET', `/api/credentials/${id}`, { token: user.token });
    expect(read.body.secretFields).toContain('tokenParameters');
    const audit = await call('GET', '/api/audit', { token: user.token });
    for (const { body } of [read, audit]) {
      expect(JSON.stringify(body)).not.toContain(AUDIENCE);
      expect(JSON.stringify(body)).not.toContain(MARK);
    }
  });

  it.each(['grant_type', 'client_id', 'client_secret', 'code', 'scope', 'code_verifier'])(
    'cannot be %s',
    async (name) => {
      const user = await buildUser();
      const { status, body } = await create(user, machine({ tokenParameters: { [name]: 'x' } }));
      expect([status, body.error.details]).toEqual([
        400,
        [{ field: `config.tokenParameters.${name}`, message: 'is set by the service' }],
      ]);
    },
  );

  it('are sent with the code and with renewals of a credential with its own addresses', async () => {
    const user = await buildUser();
    const own = { authorizeUrl: `${provider.url}/authorize`, tokenParameters: { resource: AUDIENCE, audience: 'a' } };
    const id = await stored(user, machine(own));
    const verifier = 'v'.repeat(50);
    const begin = { credential_id: id, code_verifier: verifier, state: 'a state of sixteen' };
    expect((await call('POST', '/api/oauth/authorize-url', { token: user.token, body: begin })).status).toBe(200);
    const body = { credential_id: id, code: 'the-code', code_verifier: verifier };
    expect((await call('POST', '/api/oauth/exchange', { token: user.token, body })).status).toBe(201);
    const refresh = { token: user.token, body: { credential_id: id } };
    expect((await call('POST', '/api/oauth/refresh', refresh)).status).toBe(200);
    expect(provider.forms.map((form) => [form['grant_type'], form['resource'], form['refresh_token']])).toEqual([
      ['authorization_code', AUDIENCE, undefined],
      ['refresh_token', AUDIENCE, 'refresh-1'],
    ]);
  });

  it('of a registration are sent for its connector, and sealed', async () => {
    const user = await buildUser();
    getRuntime().env.connectors = { sap: { tokenUrl: `${provider.url}/token`, apiUrl: `${provider.url}/api` } };
    const addresses = { tokenUrl: `${provider.url}/token`, apiUrl: `${provider.url}/api` };
    const path = '/api/connectors/sap/registration';
    const body = { ...CLIENT, ...addresses, tokenParameters: { audience: AUDIENCE } };
    const refused = await call<Refused>('PUT', path, {
      token: user.token,
      body: { ...body, tokenParameters: { scope: 'x' } },
    });
    expect([refused.status, refused.body.error.details[0]?.field]).toEqual([400, 'tokenParameters.scope']);
    const put = await call<{ secretFields: string[] }>('PUT', path, { token: user.token, body });
    expect([put.status, put.body.secretFields]).toEqual([200, ['clientSecret', 'tokenParameters']]);
    expect(JSON.stringify((await call('GET', path, { token: user.token })).body)).not.toContain(AUDIENCE);
    const row = await prismaClient().connectorRegistration.findFirstOrThrow({
      where: { workspaceId: user.workspaceId },
    });
    expect(JSON.stringify(row)).not.toContain(AUDIENCE);
    expect(SEALED_COLUMNS.map(({ column }) => column)).toContain('sealed_parameters');
    const connected = await call<Refused>('POST', '/api/oauth/exchange', {
      token: user.token,
      body: { connector_type: 'sap', credential_name: 'SAP' },
    });
    expect(connected.status, JSON.stringify(connected.body)).toBe(201);
    expect(provider.forms[0]).toMatchObject({ grant_type: 'client_credentials', audience: AUDIENCE });
  });
});

describe('a provider that refuses', () => {
  it('is quoted, also by later runs, until the credential is changed', async () => {
    const user = await buildUser();
    const id = await stored(user, machine());
    const refusal = {
      code: 'CREDENTIAL_REFUSED',
      message:
        'The credential "Machine" was refused by its provider: access_denied: No audience parameter was provided',
    };
    await expect(use(user, id)).rejects.toMatchObject(refusal);
    await expect(use(user, id)).rejects.toMatchObject(refusal);
    expect(provider.forms).toHaveLength(1);
    expect((await change(user, id, machine({ tokenParameters: { audience: AUDIENCE } }))).body.status).toBe('active');
    expect((await use(user, id)).credential.config['accessToken']).toBe('token-2');
    const { rows } = await databasePool().query('SELECT refusal FROM credential WHERE id = $1', [id]);
    expect(rows[0].refusal).toBeNull();
  });

  it('never says what was sent to it', async () => {
    const user = await buildUser();
    provider.answer = [401, { error: 'invalid_client', error_description: `client-secret-1 and ${MARK} are wrong` }];
    const id = await stored(user, machine({ tokenParameters: { mark: MARK } }));
    await expect(use(user, id)).rejects.toMatchObject({
      message: 'The credential "Machine" was refused by its provider: invalid_client: •••••• and •••••• are wrong',
    });
    const { rows } = await databasePool().query('SELECT refusal FROM credential WHERE id = $1', [id]);
    expect(rows[0].refusal).not.toMatch(/client-secret-1|further/);
  });

  it('says that a grant has expired only where it has', async () => {
    const user = await buildUser();
    const renewable = machine({ refreshToken: 'refresh-0', authorizeUrl: `${provider.url}/authorize` });
    provider.answer = [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }];
    await expect(use(user, await stored(user, renewable))).rejects.toMatchObject({
      code: 'CREDENTIAL_EXPIRED',
      message:
        'The credential "Machine" has expired: connect it again (invalid_grant: Token has been expired or revoked.).',
    });
    provider.answer = [401, { error: 'invalid_client' }];
    const id = await stored(user, renewable);
    await expect(use(user, id)).rejects.toMatchObject({ code: 'CREDENTIAL_REFUSED' });
    const answered = await call<Refused>('POST', '/api/oauth/refresh', {
      token: user.token,
      body: { credential_id: id },
    });
    expect([answered.status, answered.body.error.message]).toEqual([409, 'The provider refused: invalid_client']);
  });
});
