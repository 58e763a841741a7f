import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { notifications } from '@mantine/notifications';
import type { WebhookSubscriptionState } from '@/contract/triggers/subscription';
import type { WebhookTrigger } from '@/contract/triggers/webhook';
import { SubscriptionName, useSubscriptionNames } from './SubscriptionName';
import { SUBSCRIPTION_STATUS_TEXTS, subscriptionStatusSentence } from './subscription-words';

interface Props {
  webhook: WebhookTrigger;
  subscription: WebhookSubscriptionState;
  isWorkflowActive: boolean;
  onChange(): void;
  /** Shows the settings, where an account is chosen. */
  onChoose(): void;
}

/** The state of a webhook at its provider, with a button that tries again where that helps. */
export function SubscriptionState({ webhook, subscription, isWorkflowActive, onChange, onChoose }: Props) {
  const trpc = useTRPC();
  const { provider } = useSubscriptionNames(subscription);
  const { status, error, credentialId } = subscription;
  const { label, color } = SUBSCRIPTION_STATUS_TEXTS[status];
  const again = useMutation(
    trpc.webhooks.subscribe.mutationOptions({
      onSuccess: onChange,
      onError: (failure) =>
        notifications.show({ color: 'madder', title: 'Not tried', message: apiErrorSentence(failure) }),
    }),
  );
  return (
    <Stack gap={4} component="section" aria-label={`State at ${provider}`}>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600}>
          <SubscriptionName subscription={subscription} />
        </Text>
        <Badge variant="light" color={color} tt="none" style={{ flexShrink: 0 }}>
          {label}
        </Badge>
      </Group>
      <Text size="xs" c="dimmed">
        {subscriptionStatusSentence(status, provider, isWorkflowActive)}
      </Text>
      {error && (
        <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
          <Text size="xs" c={status === 'failed' ? 'madder' : undefined} role="status">
            {error.message}
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            style={{ flexShrink: 0 }}
            loading={again.isPending}
            onClick={
              credentialId === null
                ? onChoose
                : () => again.mutate({ params: { id: webhook.workflowId, webhookId: webhook.id } })
            }
          >
            {credentialId === null ? 'Choose' : 'Try again'}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
