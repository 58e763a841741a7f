import { Button, Text } from '@mantine/core';
import { IconAntenna } from '@tabler/icons-react';
import type { WebhookTrigger } from '@/contract/triggers/webhook';
import { Countdown } from './Countdown';
import { useListener } from './useListener';

interface Props {
  workflowId: string;
  webhook: WebhookTrigger;
  onListen?(): void;
}

/** Waits for a call of a webhook, whose input becomes sample data of the editor; or ends the wait. */
export function ListenButton({ workflowId, webhook, onListen }: Props) {
  const { mayListen, listener, endsAt, isStarting, start, stop } = useListener(workflowId);
  if (!mayListen || !webhook.enabled) return null;
  const isListening = listener?.webhookId === webhook.id && !listener.call;
  if (isListening) {
    return (
      <Text size="xs" mt={8}>
        Waiting for a call · <Countdown endsAt={endsAt ?? 0} />{' '}
        <Button size="compact-xs" variant="default" ml={6} onClick={stop}>
          Stop listening
        </Button>
      </Text>
    );
  }
  return (
    <Button
      mt={8}
      size="compact-sm"
      variant="light"
      leftSection={<IconAntenna size={15} aria-hidden />}
      loading={isStarting}
      onClick={() => void start(webhook.id).then(onListen, () => undefined)}
    >
      Listen for a test call
    </Button>
  );
}
