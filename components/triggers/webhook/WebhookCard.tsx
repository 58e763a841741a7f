import { ActionIcon, Anchor, Box, Group, Paper, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook, WebhookWithSecret } from '@/contract/triggers/webhook';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { Confirm } from '@/components/ui/Confirm';
import { CopyIcon } from '@/components/ui/values/CopyIcon';
import { Deliveries } from './Deliveries';
import { ListenButton } from '../listening/ListenButton';
import { responseText } from './ResponseField';
import { signedCurl } from './signed-curl';
import { WebhookEdit } from './WebhookEdit';
import { isDocumented, verificationName } from './webhook-draft';
import { TextView } from '@/components/ui/values/TextView';

interface Props {
  webhook: Webhook;
  onSecret(webhook: WebhookWithSecret): void;
  onChange(): void;
  /** A test call is listened for. */
  onListen?(): void;
  /** Default: as after any change. */
  onRemoved?(): void;
}

/** One webhook: URL, switch, settings, deliveries, example request, and secret rotation. */
export function WebhookCard({ webhook, onSecret, onChange, onListen, onRemoved = onChange }: Props) {
  const trpc = useTRPC();
  const [question, setQuestion] = useState<'rotate' | 'delete'>();
  const [shown, setShown] = useState<'inbox' | 'curl' | 'settings'>();
  const { id: webhookId, workflowId: id, url, path, response } = webhook;
  const closeQuestion = () => setQuestion(undefined);
  const toggle = (what: 'inbox' | 'curl' | 'settings') => setShown(shown === what ? undefined : what);
  const rotate = useMutation(
    trpc.webhooks.rotateSecret.mutationOptions({
      onSuccess: (renewed) => {
        closeQuestion();
        onSecret(renewed);
      },
    }),
  );
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: onChange,
      onError: (error) => notifications.show({ color: 'madder', title: 'Not changed', message: sentence(error) }),
    }),
  );
  const remove = useMutation(trpc.webhooks.delete.mutationOptions({ onSuccess: onRemoved }));
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Webhook ${path}`}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
        <CopyIcon label="Copy the URL" value={url} />
      </Group>
      {response.mode !== 'accepted' && (
        <Text size="xs" c="dimmed" mt={4}>
          {responseText(response)}
        </Text>
      )}
      <Group mt={6} justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {webhook.methods.join(', ')} · {verificationName(webhook)}
        </Text>
        <Group gap={6} wrap="nowrap">
          <Switch
            size="xs"
            aria-label={`Webhook ${path} is enabled`}
            checked={webhook.enabled}
            onChange={(event) =>
              update.mutate({ params: { id, webhookId }, body: { enabled: event.currentTarget.checked } })
            }
          />
          <ActionIcon color="madder" aria-label={`Remove webhook ${path}`} onClick={() => setQuestion('delete')}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <Group mt={4} gap="md" style={{ rowGap: 4 }}>
        <Anchor component="button" size="sm" aria-expanded={shown === 'inbox'} onClick={() => toggle('inbox')}>
          Deliveries
        </Anchor>
        <Anchor component="button" size="sm" aria-expanded={shown === 'settings'} onClick={() => toggle('settings')}>
          Settings
        </Anchor>
        {isDocumented(webhook) && (
          <Anchor component="button" size="sm" aria-expanded={shown === 'curl'} onClick={() => toggle('curl')}>
            Example request
          </Anchor>
        )}
        {webhook.verification.kind === 'signature' && (
          <Anchor component="button" size="sm" onClick={() => setQuestion('rotate')}>
            Rotate secret
          </Anchor>
        )}
      </Group>
      <ListenButton workflowId={id} webhook={webhook} onListen={onListen} />
      {shown === 'inbox' && <Deliveries workflowId={id} webhookId={webhookId} />}
      {shown === 'settings' && (
        <Box mt="sm">
          <WebhookEdit
            webhook={webhook}
            onDone={(changed) => {
              setShown(undefined);
              if (changed.secret !== undefined) onSecret(changed);
              onChange();
            }}
            onCancel={() => setShown(undefined)}
          />
        </Box>
      )}
      {shown === 'curl' && (
        <Stack gap={4} mt="sm">
          <Text size="xs" c="dimmed">
            $SECRET is the secret of the webhook. Sign exactly the bytes that you send.
          </Text>
          <TextView label="cURL" text={signedCurl(url)} />
        </Stack>
      )}
      <Confirm
        isOpen={question === 'rotate'}
        title="Rotate the secret?"
        action="Rotate secret"
        isBusy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate({ params: { id, webhookId } })}
        onClose={closeQuestion}
      >
        The new secret is shown only once. The old one stays valid during the grace period of the workspace, so that
        senders can switch.
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
        Requests to this URL are refused from now on.
      </Confirm>
    </Paper>
  );
}
