import { ActionIcon, Anchor, Button, CopyButton, Group, Paper, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconCopy, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook, WebhookWithSecret } from '@/contract/webhook';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { Confirm } from './Confirm';
import { Deliveries } from './Deliveries';

interface Props {
  webhook: Webhook;
  onSecret(webhook: WebhookWithSecret): void;
  onChange(): void;
}

/** One address: copy it, renew its secret, see what came in. */
export function WebhookCard({ webhook, onSecret, onChange }: Props) {
  const trpc = useTRPC();
  const [question, setQuestion] = useState<'rotate' | 'delete'>();
  const [isInboxOpen, setInboxOpen] = useState(false);
  const { id: webhookId, workflowId: id, url, path } = webhook;
  const onError = (error: unknown) =>
    notifications.show({ color: 'madder', title: 'Not changed', message: sentence(error) });
  const rotate = useMutation(trpc.webhooks.rotateSecret.mutationOptions({ onSuccess: onSecret, onError }));
  const remove = useMutation(trpc.webhooks.delete.mutationOptions({ onSuccess: onChange, onError }));
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Webhook ${path}`}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy the address'}>
              <ActionIcon aria-label="Copy the address" onClick={copy}>
                {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
      <Group mt="xs" justify="space-between">
        <Group gap="md">
          <Anchor component="button" size="sm" aria-expanded={isInboxOpen} onClick={() => setInboxOpen(!isInboxOpen)}>
            Deliveries
          </Anchor>
          <Anchor component="button" size="sm" onClick={() => setQuestion('rotate')}>
            New secret
          </Anchor>
        </Group>
        <ActionIcon color="madder" aria-label={`Remove webhook ${path}`} onClick={() => setQuestion('delete')}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {isInboxOpen && <Deliveries workflowId={id} webhookId={webhookId} />}
      {question === 'rotate' && (
        <Confirm
          title="Make a new secret?"
          onClose={() => setQuestion(undefined)}
          action={<Button onClick={() => rotate.mutate({ params: { id, webhookId } })}>Make a new secret</Button>}
        >
          It is shown once. The old one stays good for a day, so that senders can change over.
        </Confirm>
      )}
      {question === 'delete' && (
        <Confirm
          title={`Remove “${path}”?`}
          onClose={() => setQuestion(undefined)}
          action={
            <Button color="madder" onClick={() => remove.mutate({ params: { id, webhookId } })}>
              Remove
            </Button>
          }
        >
          Calls to this address are refused from then on.
        </Confirm>
      )}
    </Paper>
  );
}
