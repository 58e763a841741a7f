import { useConnectors } from '@/components/client/queries/useConnectors';
import type { WebhookSubscriptionState } from '@/contract/triggers/subscription';
import { serviceEventTitle } from '../event-title';

/** Names of the provider and of the event of a subscription. */
export function useSubscriptionNames({ connectorId, event }: WebhookSubscriptionState): {
  provider: string;
  title: string;
} {
  const connector = useConnectors().data?.data.find(({ id }) => id === connectorId);
  const found = connector?.events.find(({ id, mode }) => id === event && mode === 'subscription');
  return { provider: connector?.name ?? 'the provider', title: found?.title ?? 'Event' };
}

/** The name of a subscription on a card: `New release in GitHub`. */
export function SubscriptionName({ subscription }: { subscription: WebhookSubscriptionState }) {
  const { provider, title } = useSubscriptionNames(subscription);
  return serviceEventTitle(title, provider);
}
