import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WEBHOOK_PROVIDERS } from '@/contract/triggers/webhook-names';
import { senderIcon } from './SenderIcon';

test('an icon that is promised exists', () => {
  const addresses = WEBHOOK_PROVIDERS.flatMap((provider) => senderIcon(provider) ?? []);
  expect(addresses.length).toBeGreaterThan(10);
  expect(addresses.filter((address) => !existsSync(`public${address}`))).toEqual([]);
});

test('a service is found by its name; others have no icon', () => {
  expect(senderIcon('GitHub')).toBe('/connectors/github.svg');
  expect(senderIcon('Svix')).toBeUndefined();
  expect(senderIcon('constructor')).toBeUndefined();
});
