import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sendOutboundRequest, type OutboundRequest } from '@/server/network/outbound/outbound';
import { trustedOrigin, identifyAccount } from './account';
import { resolveApiBase } from './calls/endpoint';
import { findBuiltInConnector } from './index';
import type { OpenCredential } from './open-credential';
import type { GrantedTokens } from './authorization/token-response';
import type { TokenClient } from './authorization/token-endpoint';

// The test needs the providers' real addresses, which tests may not call.
vi.mock('@/server/network/outbound/outbound', () => ({ sendOutboundRequest: vi.fn() }));

const answers: Record<string, unknown> = {};
const asked: { url: string; headers: Record<string, string>; body: string }[] = [];
beforeEach(() => {
  asked.length = 0;
  for (const key of Object.keys(answers)) delete answers[key];
  vi.mocked(sendOutboundRequest).mockImplementation(async ({ url, headers = {}, body = '' }: OutboundRequest) => {
    asked.push({ url: String(url), headers, body: String(body) });
    const answer = answers[String(url).split('?')[0] ?? ''];
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { status: answer === undefined ? 404 : 200, headers: {}, body: Buffer.from(text ?? ''), url: String(url) };
  });
});

const known = (id: string) => {
  const connector = findBuiltInConnector(id);
  if (!connector) throw new Error(`no connector ${id}`);
  return connector;
};
const tokens: GrantedTokens = { accessToken: 'first', refreshToken: 'refresh', expiresIn: 3600, answer: {} };
const client = (tokenUrl: string): TokenClient => ({
  workspaceId: 'ws_a',
  tokenUrl,
  clientId: 'id',
  clientSecret: 'secret',
  authentication: 'form',
});
const settle = (id: string, given: GrantedTokens, tokenUrl = String(known(id).tokenUrl)) =>
  identifyAccount(known(id), client(tokenUrl), given, false, AbortSignal.timeout(5000));

function baseOf(id: string, config: Record<string, unknown>): string {
  const credential = { name: 'x', config } as OpenCredential;
  return resolveApiBase(known(id), credential, undefined, undefined).href;
}

describe('the API address of an account', () => {
  it('comes from Salesforce’s token answer', async () => {
    const { account } = await settle('salesforce', {
      ...tokens,
      answer: { instance_url: 'https://acme.my.salesforce.com' },
    });
    expect(baseOf('salesforce', { ...account })).toBe('https://acme.my.salesforce.com/services/data/v62.0');
  });

  it('comes from DocuSign’s user info: the default account’s', async () => {
    answers['https://account.docusign.com/oauth/userinfo'] = {
      accounts: [
        { account_id: 'a-1', is_default: false, base_uri: 'https://na1.docusign.net' },
        { account_id: 'b-2', is_default: true, base_uri: 'https://eu.docusign.net' },
      ],
    };
    const { account } = await settle('docusign', tokens);
    expect(baseOf('docusign', { ...account })).toBe('https://eu.docusign.net/restapi/v2.1/accounts/b-2');
    expect(asked[0]?.headers).toMatchObject({ Authorization: 'Bearer first' });
  });

  it('comes from the sandbox if the tokens do', async () => {
    answers['https://account-d.docusign.com/oauth/userinfo'] = {
      accounts: [{ account_id: 'c-3', is_default: true, base_uri: 'https://demo.docusign.net' }],
    };
    const { account } = await settle('docusign', tokens, 'https://account-d.docusign.com/oauth/token');
    expect(account.accountId).toBe('c-3');
  });

  it('has separate tokens at Dynamics 365', async () => {
    answers['https://globaldisco.crm.dynamics.com/api/discovery/v2.0/Instances'] = {
      value: [{ ApiUrl: 'https://acme.api.crm4.dynamics.com', FriendlyName: 'Acme' }],
    };
    answers['https://login.microsoftonline.com/organizations/oauth2/v2.0/token'] = {
      access_token: 'own',
      expires_in: 100,
    };
    const settled = await settle('dynamics365', tokens);
    expect(settled.tokens).toMatchObject({ accessToken: 'own', refreshToken: 'refresh', expiresIn: 100 });
    expect(new URLSearchParams(asked[1]?.body).get('scope')).toBe(
      'https://acme.api.crm4.dynamics.com/user_impersonation offline_access',
    );
    expect(baseOf('dynamics365', { ...settled.account })).toBe('https://acme.api.crm4.dynamics.com/api/data/v9.2');
  });

  it.each([
    ['nothing', undefined],
    ['HTML', '<html>'],
    ['no environment', { value: [] }],
    ['another company’s', { value: [{ ApiUrl: 'https://evil.example' }] }],
  ])('with %s nothing is connected', async (_, answer) => {
    answers['https://globaldisco.crm.dynamics.com/api/discovery/v2.0/Instances'] = answer;
    await expect(settle('dynamics365', tokens)).rejects.toThrow();
  });
});

it.each([
  'http://acme.my.salesforce.com',
  'https://acme.my.salesforce.com:8443',
  'https://salesforce.com.evil.example',
  'https://evilsalesforce.com',
  'https://user@acme.my.salesforce.com',
  'https://evil.example#.salesforce.com',
  'https://evil.example\\.salesforce.com',
  'javascript:alert(1)',
  42,
])('is refused: %j', (address) => {
  const { account } = known('salesforce');
  expect(account && trustedOrigin(account, address)).toBeUndefined();
});
