import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WEBHOOK_PROVIDERS } from '@/contract/triggers/webhook-constants';
import { senderIconUrl } from './WebhookSenderIcon';

test('an icon that is promised exists', () => {
  const addresses = WEBHOOK_PROVIDERS.flatMap((provider) => senderIconUrl(provider) ?? []);
  expect(addresses.length).toBeGreaterThan(10);
  expect(addresses.filter((address) => !existsSync(`public${address}`))).toEqual([]);
});

test('a service is found by its name; others have no icon', () => {
  expect(senderIconUrl('GitHub')).toBe('/connectors/github.svg');
  expect(senderIconUrl('Svix')).toBeUndefined();
  expect(senderIconUrl('constructor')).toBeUndefined();
});
