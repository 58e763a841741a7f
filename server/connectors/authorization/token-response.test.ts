import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseTokenResponse, extractTokens } from './token-response';
import { extractRefusal, toTokenRefused } from './token-refusal';

const NOW = Date.parse('2026-01-31T08:00:00Z');
beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

const read = (answer: object | string) =>
  extractTokens(parseTokenResponse(Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer))));

/**
 * Answers as the providers' documentation shows them, with other tokens: answer, refresh token, lifetime in seconds.
 */
const ANSWERS: Record<string, [answer: object | string, refreshToken?: string, expiresIn?: number]> = {
  Google: [
    {
      access_token: 'a1',
      expires_in: 3920,
      token_type: 'Bearer',
      scope: 'https://www.googleapis.com/auth/drive.metadata.readonly',
      refresh_token: '1//r1',
    },
    '1//r1',
    3920,
  ],
  'GitHub, as JSON': [{ access_token: 'a1', scope: 'repo,gist', token_type: 'bearer' }],
  'GitHub, as a form': ['access_token=a1&scope=repo%2Cgist&token_type=bearer'],
  'GitHub app, with an expiry': [
    'access_token=a1&expires_in=28800&refresh_token=ghr_r1&refresh_token_expires_in=15897600&scope=&token_type=bearer',
    'ghr_r1',
    28_800,
  ],
  'Slack, of a bot': [
    {
      ok: true,
      access_token: 'a1',
      token_type: 'bot',
      scope: 'commands,incoming-webhook',
      bot_user_id: 'U0KRQLJ9H',
      app_id: 'A0KRD7HC3',
      team: { name: 'Slack Softball Team', id: 'T9TK3CUKW' },
      enterprise: null,
      authed_user: { id: 'U1234', scope: 'chat:write', access_token: 'xoxp-of-the-user', token_type: 'user' },
    },
  ],
  'Slack, of a user, with rotation': [
    {
      ok: true,
      app_id: 'A0KRD7HC3',
      authed_user: {
        id: 'U1234',
        scope: 'chat:write',
        access_token: 'a1',
        token_type: 'user',
        refresh_token: 'xoxe-r1',
        expires_in: 43_200,
      },
    },
    'xoxe-r1',
    43_200,
  ],
  Microsoft: [
    {
      access_token: 'a1',
      token_type: 'Bearer',
      expires_in: 3599,
      ext_expires_in: 3599,
      scope: 'https://graph.microsoft.com/mail.read',
      refresh_token: 'AwABAAAA-r1',
      id_token: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJub25lIn0.e30.',
    },
    'AwABAAAA-r1',
    3599,
  ],
  'Azure AD 1.0, with texts': [
    {
      token_type: 'Bearer',
      expires_in: '3600',
      expires_on: '1769850000',
      resource: 'https://a.example',
      access_token: 'a1',
    },
    undefined,
    3600,
  ],
  Salesforce: [
    {
      access_token: 'a1',
      refresh_token: '5Aep-r1',
      signature: 'abc=',
      scope: 'refresh_token api',
      instance_url: 'https://mydomain.my.salesforce.com',
      id: 'https://login.salesforce.com/id/00D/005',
      token_type: 'Bearer',
      issued_at: '1769846400000',
    },
    '5Aep-r1',
  ],
  HubSpot: [
    { token_type: 'bearer', refresh_token: 'r1', access_token: 'a1', hub_id: 12_345, expires_in: 1800 },
    'r1',
    1800,
  ],
  'Shopify, without a type': [{ access_token: 'a1', scope: 'write_orders,read_customers' }],
  Notion: [
    {
      access_token: 'a1',
      token_type: 'bearer',
      refresh_token: null,
      bot_id: 'b3b9',
      duplicated_template_id: null,
      owner: { workspace: true },
      workspace_icon: null,
      workspace_id: 'w1',
    },
  ],
  Discord: [
    { access_token: 'a1', token_type: 'Bearer', expires_in: 604_800, refresh_token: 'r1', scope: 'identify' },
    'r1',
    604_800,
  ],
  Dropbox: [
    {
      access_token: 'a1',
      expires_in: 14_400,
      token_type: 'bearer',
      scope: 'account_info.read',
      uid: '12345',
      account_id: 'dbid:A',
    },
    undefined,
    14_400,
  ],
  Zoom: [
    {
      access_token: 'a1',
      token_type: 'bearer',
      refresh_token: 'r1',
      expires_in: 3599,
      scope: 'user:read',
      api_url: 'https://api.zoom.us',
    },
    'r1',
    3599,
  ],
  'Stripe Connect': [
    {
      access_token: 'a1',
      livemode: false,
      refresh_token: 'rt_r1',
      token_type: 'bearer',
      stripe_publishable_key: 'pk_1',
      stripe_user_id: 'acct_1',
      scope: 'read_write',
    },
    'rt_r1',
  ],
  'LinkedIn, without a type': [
    {
      access_token: 'a1',
      expires_in: 5_184_000,
      refresh_token: 'r1',
      refresh_token_expires_in: 31_536_059,
      scope: 'r_basicprofile',
    },
    'r1',
    5_184_000,
  ],
  Facebook: [{ access_token: 'a1', token_type: 'bearer', expires_in: 5_183_944 }, undefined, 5_183_944],
  'Facebook before 2.3': ['access_token=a1&expires=5183944', undefined, 5_183_944],
  X: [
    {
      token_type: 'bearer',
      expires_in: 7200,
      access_token: 'a1',
      scope: 'tweet.read users.read offline.access',
      refresh_token: 'r1',
    },
    'r1',
    7200,
  ],
  Atlassian: [
    {
      access_token: 'a1',
      refresh_token: 'r1',
      expires_in: 3600,
      token_type: 'Bearer',
      scope: 'write:jira-work read:jira-user',
    },
    'r1',
    3600,
  ],
  Asana: [
    {
      access_token: 'a1',
      expires_in: 3600,
      token_type: 'bearer',
      refresh_token: 'r1',
      data: { id: 4673, name: 'Greg', email: 'greg@example.com' },
    },
    'r1',
    3600,
  ],
  Xero: [
    {
      id_token: 'x.y.z',
      access_token: 'a1',
      expires_in: 1800,
      token_type: 'Bearer',
      refresh_token: 'r1',
      scope: 'email profile',
    },
    'r1',
    1800,
  ],
  QuickBooks: [
    {
      x_refresh_token_expires_in: 8_726_400,
      refresh_token: 'r1',
      access_token: 'a1',
      token_type: 'bearer',
      expires_in: 3600,
    },
    'r1',
    3600,
  ],
  Spotify: [
    { access_token: 'a1', token_type: 'Bearer', scope: 'user-read-private', expires_in: 3600, refresh_token: 'r1' },
    'r1',
    3600,
  ],
  Auth0: [{ access_token: 'a1', token_type: 'Bearer', expires_in: 86_400, scope: 'read:users' }, undefined, 86_400],
  Okta: [
    { token_type: 'Bearer', expires_in: 3600, access_token: 'a1', scope: 'custom', id_token: 'x.y.z' },
    undefined,
    3600,
  ],
  'Mailchimp, which never expires': [{ access_token: 'a1', expires_in: 0, scope: null }],
  Airtable: [
    {
      access_token: 'a1',
      refresh_token: 'r1',
      token_type: 'Bearer',
      scope: 'data.records:read',
      expires_in: 3600,
      refresh_expires_in: 5_184_000,
    },
    'r1',
    3600,
  ],
  PayPal: [
    {
      scope: 'https://uri.paypal.com/services/invoicing',
      access_token: 'a1',
      token_type: 'Bearer',
      app_id: 'APP-1',
      expires_in: 31_668,
      nonce: 'n',
    },
    undefined,
    31_668,
  ],
  'Strava, with a time': [
    { token_type: 'Bearer', expires_at: 1_769_868_000, refresh_token: 'r1', access_token: 'a1', athlete: { id: 1 } },
    'r1',
    21_600,
  ],
};

it.each(Object.entries(ANSWERS))('%s', (_, [answer, refreshToken, expiresIn]) => {
  expect(read(answer)).toMatchObject({ accessToken: 'a1', refreshToken, expiresIn });
});

describe('fields that are of no use never refuse a token', () => {
  it.each<[string, object, number | undefined]>([
    ['a type in capitals', { token_type: 'BEARER' }, undefined],
    ['another type', { token_type: 'mac' }, undefined],
    ['a type that is no text', { token_type: 7 }, undefined],
    ['scopes as a list', { scope: ['a', 'b'] }, undefined],
    ['a lifetime of null', { expires_in: null }, undefined],
    ['a lifetime below zero', { expires_in: -5 }, undefined],
    ['a lifetime in words', { expires_in: 'soon' }, undefined],
    ['an empty lifetime', { expires_in: '' }, undefined],
    ['a lifetime with a fraction', { expires_in: 59.5 }, 59.5],
    ['such a text', { expires_in: '3599.0' }, 3599],
    ['a lifetime of a thousand years', { expires_in: 31_536_000_000 }, 315_360_000],
    ['a lifetime by another name', { expires: '7200' }, 7200],
    ['a time in words', { expires_at: '2026-01-31T09:00:00Z' }, 3600],
    ['a time in milliseconds', { expires_at: NOW + 60_000 }, 60],
    ['a time that is over', { expires_at: 1_700_000_000 }, undefined],
    ['a refresh token that is empty', { refresh_token: '' }, undefined],
    ['a refresh token that is no text', { refresh_token: { a: 1 } }, undefined],
    ['an error of null', { error: null }, undefined],
  ])('%s', (_, fields, expiresIn) => {
    expect(read({ access_token: 'a1', ...fields })).toEqual({
      accessToken: 'a1',
      refreshToken: undefined,
      expiresIn,
      answer: { access_token: 'a1', ...fields },
    });
  });

  it.each(['<html>a=b</html>', '["a1"]', 'access_token', '', 'null', 'access_token=a%0Db'])(
    '%j has no token',
    (answer) => {
      expect(read(answer)).toBeUndefined();
    },
  );
});

describe('the reason of a refusal', () => {
  it.each<[string, object | string, string | undefined, string | undefined]>([
    [
      'RFC 6749',
      { error: 'access_denied', error_description: 'No audience parameter was provided' },
      'access_denied',
      'No audience parameter was provided',
    ],
    [
      'a form',
      'error=bad_verification_code&error_description=The+code+is+incorrect.',
      'bad_verification_code',
      'The code is incorrect.',
    ],
    [
      'Google',
      { error: { code: 403, message: 'The caller does not have permission', status: 'PERMISSION_DENIED' } },
      'PERMISSION_DENIED',
      'The caller does not have permission',
    ],
    [
      'Facebook',
      { error: { message: 'Invalid verification code format.', type: 'OAuthException', code: 100, fbtrace_id: 'x' } },
      'OAuthException',
      'Invalid verification code format.',
    ],
    ['Slack', { ok: false, error: 'invalid_client_id' }, 'invalid_client_id', undefined],
    [
      'HubSpot',
      { status: 'BAD_AUTH_CODE', message: 'missing or unknown auth code', correlationId: 'x' },
      'BAD_AUTH_CODE',
      'missing or unknown auth code',
    ],
    [
      'Dropbox',
      { error_summary: 'invalid_grant/..', error: { '.tag': 'invalid_grant' } },
      'invalid_grant',
      'invalid_grant/..',
    ],
    [
      'Zoom',
      { reason: 'Invalid request : Redirect URI mismatch.', error: 'invalid_request' },
      'invalid_request',
      'Invalid request : Redirect URI mismatch.',
    ],
    ['Okta', { errorCode: 'E0000011', errorSummary: 'Invalid token provided' }, 'E0000011', 'Invalid token provided'],
    ['a list', { errors: [{ code: 'bad_client', message: 'Unknown client' }] }, 'bad_client', 'Unknown client'],
    ['a sentence', { error: 'Invalid client credentials' }, undefined, 'Invalid client credentials'],
    ['a page', '<html>No</html>', undefined, undefined],
  ])('%s', (_, answer, code, text) => {
    const bytes = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
    expect(extractRefusal(parseTokenResponse(bytes))).toEqual({ code, text });
  });

  const SECRET = 'sUp3r-s3cr3t/value+1';
  it.each([
    SECRET,
    encodeURIComponent(SECRET),
    Buffer.from(SECRET).toString('base64'),
    SECRET.slice(0, 14),
    `"${SECRET}"`,
  ])('never has what was sent: %s', (sent) => {
    const answer = { error: 'invalid_client', error_description: `The secret ${sent} is\r\nwrong` };
    const { message, error, reason } = toTokenRefused(answer, 401, { secrets: [SECRET], isRenewal: false });
    expect(reason).toMatch(/^invalid_client: The secret "?•{6}=?"? is wrong$/);
    for (const text of [message, error, reason]) expect(text).not.toContain(sent.replaceAll('"', ''));
    expect(toTokenRefused({ error: SECRET.slice(0, 10) }, 401, { secrets: [SECRET], isRenewal: false }).error).toBe(
      'HTTP 401',
    );
  });

  it('is that of an expiry only where a refresh token was sent', () => {
    const answer = { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' };
    expect(toTokenRefused(answer, 400, { secrets: [], isRenewal: true }).isOver).toBe(true);
    expect(toTokenRefused(answer, 400, { secrets: [], isRenewal: false }).isOver).toBe(false);
    expect(toTokenRefused({ error: 'invalid_client' }, 401, { secrets: [], isRenewal: true }).isOver).toBe(false);
  });
});
