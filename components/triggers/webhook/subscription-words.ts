import type { SubscriptionStatus } from '@/contract/triggers/subscription';

/** The states of a subscription, as people read them. */
export const SUBSCRIPTION_STATUS_TEXTS: Record<SubscriptionStatus, { label: string; color: string }> = {
  waiting: { label: 'Waiting', color: 'weld' },
  active: { label: 'Connected', color: 'green' },
  failed: { label: 'Failed', color: 'madder' },
  removed: { label: 'Not connected', color: 'gray' },
};

/** What a status means for whoever looks at it. `isActive`: the workflow is active. */
export function subscriptionStatusSentence(status: SubscriptionStatus, provider: string, isActive: boolean): string {
  switch (status) {
    case 'active':
      return `${provider} sends its events here.`;
    case 'removed':
      return `The webhook is made at ${provider} again when the workflow is live.`;
    case 'failed':
      return `${provider} does not send its events.`;
    case 'waiting':
      return isActive
        ? `The webhook is about to be made at ${provider}.`
        : `The webhook is made at ${provider} when the workflow is live.`;
  }
}
