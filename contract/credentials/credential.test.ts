import { expect, it } from 'vitest';
import { configSchemaForType, secretFieldNames } from './credential';

it.each([
  ['api_key', null, ['apiKey']],
  ['basic_auth', null, ['password']],
  ['basic_auth', 'smtp', ['password']],
  ['oauth2', null, ['clientSecret', 'accessToken', 'refreshToken', 'tokenParameters']],
  ['custom', null, ['headers', 'query']],
] as const)('knows the secrets of %s (%s), optional ones too', (type, connectorId, names) => {
  expect(secretFieldNames(configSchemaForType(type, connectorId))).toEqual(names);
});

const entries = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`h${index}`, 'x'.repeat(length)]));

it.each([
  [{ headers: entries(100, 10), query: entries(100, 10) }, undefined],
  [{ headers: entries(101, 10) }, 'must have at most 100 entries'],
  [{ query: entries(101, 10) }, 'must have at most 100 entries'],
  [{ headers: entries(13, 20_000) }, undefined],
  [{ headers: entries(7, 20_000), query: entries(7, 20_000) }, /^must have at most 262144 characters/],
])('bounds the secrets of a custom credential (%#)', (config, message) => {
  const parsed = configSchemaForType('custom', null).safeParse(config);
  const matching: unknown = message === undefined ? undefined : expect.stringMatching(message);
  expect(parsed.error?.issues[0]?.message).toEqual(matching);
});
