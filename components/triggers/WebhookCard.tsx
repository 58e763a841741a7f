import { ActionIcon, Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook, WebhookWithSecret } from '@/contract/webhook';
import { useTRPC } from '../client/trpc';
import { Confirm } from '../ui/Confirm';
import { CopyIcon } from '../ui/CopyIcon';
import { Deliveries } from './Deliveries';
import { signedCurl } from './signed-curl';
import { TextView } from '../ui/TextView';

interface Props {
  webhook: Webhook;
  onSecret(webhook: WebhookWithSecret): void;
  onChange(): void;
}

/** One address: copy it, renew its secret, see what came in. */
export function WebhookCard({ webhook, onSecret, onChange }: Props) {
  const trpc = useTRPC();
  const [question, setQuestion] = useState<'rotate' | 'delete'>();
  const [shown, setShown] = useState<'inbox' | 'curl'>();
  const { id: webhookId, workflowId: id, url, path } = webhook;
  const closeQuestion = () => setQuestion(undefined);
  const toggle = (what: 'inbox' | 'curl') => setShown(shown === what ? undefined : what);
  const rotate = useMutation(
    trpc.webhooks.rotateSecret.mutationOptions({
      onSuccess: (renewed) => {
        closeQuestion();
        onSecret(renewed);
      },
    }),
  );
  const remove = useMutation(trpc.webhooks.delete.mutationOptions({ onSuccess: onChange }));
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Webhook ${path}`}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
        <CopyIcon label="Copy the address" value={url} />
      </Group>
      <Group mt="xs" justify="space-between">
        <Group gap="md">
          <Anchor component="button" size="sm" aria-expanded={shown === 'inbox'} onClick={() => toggle('inbox')}>
            Deliveries
          </Anchor>
          <Anchor component="button" size="sm" aria-expanded={shown === 'curl'} onClick={() => toggle('curl')}>
            How to call it
          </Anchor>
          <Anchor component="button" size="sm" onClick={() => setQuestion('rotate')}>
            New secret
          </Anchor>
        </Group>
        <ActionIcon color="madder" aria-label={`Remove webhook ${path}`} onClick={() => setQuestion('delete')}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {shown === 'inbox' && <Deliveries workflowId={id} webhookId={webhookId} />}
      {shown === 'curl' && (
        <Stack gap={4} mt="sm">
          <Text size="xs" c="dimmed">
            With the webhook’s secret in $SECRET. Sign the very bytes that you send.
          </Text>
          <TextView label="cURL" text={signedCurl(url)} />
        </Stack>
      )}
      <Confirm
        isOpen={question === 'rotate'}
        title="Make a new secret?"
        action="Make a new secret"
        isBusy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate({ params: { id, webhookId } })}
        onClose={closeQuestion}
      >
        It is shown once. The old one stays good for a day, so that senders can change over.
      </Confirm>
      <Confirm
        isOpen={question === 'delete'}
        title={`Remove “${path}”?`}
        action="Remove"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { id, webhookId } })}
        onClose={closeQuestion}
      >
        Calls to this address are refused from then on.
      </Confirm>
    </Paper>
  );
}
