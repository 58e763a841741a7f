import { expect, test } from 'vitest';
import { ENVIRONMENT_VARIABLES } from './variables';
import { findIdleVariables, findUnknownVariables } from './unknown-variables';

const nearest = (name: string) =>
  findUnknownVariables({ [name]: 'x' })[0]?.nearest ?? findUnknownVariables({ [name]: 'x' }).length;

test.each([
  ['SMPT_URL', 'SMTP_URL'],
  ['WEFT_PORT', 'PORT'],
  ['WEFT_SMPT_URL', 'SMTP_URL'],
  ['WEFT_CONNECTOR_HUBSPOT_CLIENT_ID', 'CONNECTOR_HUBSPOT_CLIENT_ID'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['ENCRYPTION_KEYS', 'ENCRYPTION_KEY'],
  ['EGRES_ALLOW', 'EGRESS_ALLOW'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['Smtp_Url', 'SMTP_URL'],
  ['CONNECTOR_HUBSPOT_CLIENTID', 'CONNECTOR_HUBSPOT_CLIENT_ID'],
  ['OAUTH2_GITHUB_SECRET', 'OAUTH2_GITHUB_CLIENT_SECRET'],
  ['SAML_IDP_CERT', 'SAML_IDP_CERTIFICATE'],
])('%s is probably %s', (name, meant) => {
  expect(nearest(name)).toBe(meant);
});

test('a name with the prefix WEFT_ is reported even if nothing is close to it', () => {
  expect(findUnknownVariables({ WEFT_SOMETHING_ELSE_ENTIRELY: 'x' })).toEqual([
    { name: 'WEFT_SOMETHING_ELSE_ENTIRELY', nearest: undefined },
  ]);
});

test('variables of the service, of the system and of other programs are not reported', () => {
  const source = Object.fromEntries(
    [
      ...Object.keys(ENVIRONMENT_VARIABLES),
      'PATH',
      'HOME',
      'PWD',
      'LANG',
      'TERM',
      'USER',
      'SHELL',
      'HOSTNAME',
      'NODE_ENV',
      'NODE_OPTIONS',
      'TZ',
      'LOGNAME',
      'HTTP_PROXY',
      'http_proxy',
      'https_proxy',
      'no_proxy',
      'KUBERNETES_PORT',
      'npm_config_cache',
      'DATABASE_HOST',
      'CONNECTOR_HUBSPOT_CLIENT_ID',
      'OAUTH2_GITHUB_CLIENT_ID',
      'SAML_IDP_SSO_URL',
      'OTEL_SERVICE_NAME',
      'PGPASSWORD',
    ].map((name) => [name, 'x']),
  );
  expect(findUnknownVariables(source)).toEqual([]);
  expect(findUnknownVariables({ WEFT_PORT: '' })).toEqual([]);
});

test('settings that have no effect beside others are reported', () => {
  expect(findIdleVariables({ EGRESS_ALLOW: '10.0.0.0/8' })).toEqual([expect.stringContaining('EGRESS_ALLOW_PRIVATE')]);
  expect(findIdleVariables({ EGRESS_ALLOW: '10.0.0.0/8', DEPLOYMENT_ENV: 'selfhosted' })).toEqual([]);
  expect(findIdleVariables({ DATABASE_PASSWORD: 'x', FILES_ACCESS_KEY_ID: 'x', REDIS_URL: 'redis://x' })).toHaveLength(
    3,
  );
});
