import { useConnectors } from '@/components/client/queries/useConnectors';
import type { WebhookSubscriptionState } from '@/contract/triggers/subscription';
import { joinPickedLabels, serviceEventTitle, withPickedLabels } from '../event/event-title';

/** Names of the provider and of the event of a subscription. */
export function useSubscriptionNames({ connectorId, event }: WebhookSubscriptionState): {
  provider: string;
  title: string;
} {
  const connectors = useConnectors();
  const connector = connectors.data?.data.find(({ id }) => id === connectorId);
  const found = connector?.events.find(({ id, mode }) => id === event && mode === 'subscription');
  const isLoading = !connectors.data && !connectors.error;
  return { provider: connector?.name ?? (isLoading ? '…' : 'the provider'), title: found?.title ?? 'Event' };
}

interface Props {
  subscription: WebhookSubscriptionState;
}

/** The name of an event with its place: `New release in GitHub`. */
export function SubscriptionTitle({ subscription }: Props) {
  const { provider, title } = useSubscriptionNames(subscription);
  return serviceEventTitle(title, provider);
}

/** Where a subscribed event happens: `octocat · hello`, or else the provider. */
export function SubscribedPlace({ subscription }: Props) {
  const { provider } = useSubscriptionNames(subscription);
  return joinPickedLabels(subscription.labels) || provider;
}

/** The name of a subscription on a card: `New release in GitHub · octocat · hello`. */
export function SubscriptionName({ subscription }: Props) {
  const { provider, title } = useSubscriptionNames(subscription);
  return withPickedLabels(serviceEventTitle(title, provider), subscription.labels);
}
