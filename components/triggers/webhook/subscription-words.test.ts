import { expect, test } from 'vitest';
import { SubscriptionStatus } from '@/contract/triggers/subscription';
import { SUBSCRIPTION_STATUS_TEXTS, subscriptionStatusSentence } from './subscription-words';

test.each(SubscriptionStatus.options)('the state %s is told in words that name the provider', (status) => {
  for (const isActive of [true, false]) {
    const sentence = subscriptionStatusSentence(status, 'GitHub', isActive);
    expect(sentence).toContain('GitHub');
    expect(sentence).not.toContain(status);
  }
  expect(SUBSCRIPTION_STATUS_TEXTS[status].label).not.toBe(status);
});
