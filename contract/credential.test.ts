import { expect, it } from 'vitest';
import { configSchemaOf, secretNames } from './credential';

it.each([
  ['api_key', null, ['apiKey']],
  ['basic_auth', null, ['password']],
  ['basic_auth', 'smtp', ['password']],
  ['oauth2', null, ['clientSecret', 'accessToken', 'refreshToken']],
  ['custom', null, ['headers', 'query']],
] as const)('knows the secrets of %s (%s), optional ones too', (type, connectorId, names) => {
  expect(secretNames(configSchemaOf(type, connectorId))).toEqual(names);
});
