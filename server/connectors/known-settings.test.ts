import { expect, test } from 'vitest';
import { readServiceEnv } from '@/server/platform/env/env';
import { requireKnownConnectors } from './known-settings';

const KEYS = { JWT_SECRET: 'j'.repeat(32), ENCRYPTION_KEY: 'e'.repeat(32), MFA_SECRET_KEY: 'm'.repeat(32) };
const readWith = (name: string) => readServiceEnv({ ...KEYS, [name]: 'https://api.example.com' });

test('settings of a connector that does not exist are refused', () => {
  expect(() => requireKnownConnectors(readWith('CONNECTOR_NOBODY_API_URL'))).toThrow(
    'CONNECTOR_NOBODY_… is not a variable of a known connector',
  );
});

test('settings of a known connector are accepted', () => {
  expect(() => requireKnownConnectors(readWith('CONNECTOR_SLACK_API_URL'))).not.toThrow();
});
