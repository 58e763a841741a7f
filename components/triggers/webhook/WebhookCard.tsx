import { ActionIcon, Anchor, Badge, Box, Group, Paper, Stack, Switch, Text } from '@mantine/core';
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
import { isDocumented, takesLastingTokens, verificationName } from './webhook-draft';
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

type Question = 'rotate' | 'delete';
type Section = 'inbox' | 'curl' | 'settings';

/** One webhook: URL, switch, settings, deliveries, example request, and secret rotation. */
export function WebhookCard(props: Props) {
  const { webhook, onSecret, onChange, onListen } = props;
  const [question, setQuestion] = useState<Question>();
  const [shown, setShown] = useState<Section>();
  const { id: webhookId, workflowId, url, path, response } = webhook;
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
          <EnabledSwitch webhook={webhook} onChange={onChange} />
          <ActionIcon color="madder" aria-label={`Remove webhook ${path}`} onClick={() => setQuestion('delete')}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      {takesLastingTokens(webhook) && (
        <Badge mt={6} size="sm" variant="light" color="weld" tt="none">
          Tokens that never expire are accepted
        </Badge>
      )}
      <Sections webhook={webhook} shown={shown} onShow={setShown} onRotate={() => setQuestion('rotate')} />
      <ListenButton workflowId={workflowId} webhook={webhook} onListen={onListen} />
      {shown === 'inbox' && <Deliveries workflowId={workflowId} webhookId={webhookId} />}
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
      <Questions {...props} question={question} onClose={() => setQuestion(undefined)} />
    </Paper>
  );
}

function EnabledSwitch({ webhook: { id, workflowId, path, enabled }, onChange }: Pick<Props, 'webhook' | 'onChange'>) {
  const trpc = useTRPC();
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: onChange,
      onError: (error) => notifications.show({ color: 'madder', title: 'Not changed', message: sentence(error) }),
    }),
  );
  return (
    <Switch
      size="xs"
      aria-label={`Webhook ${path} is enabled`}
      checked={enabled}
      onChange={(event) =>
        update.mutate({ params: { id: workflowId, webhookId: id }, body: { enabled: event.currentTarget.checked } })
      }
    />
  );
}

interface SectionsProps {
  webhook: Webhook;
  shown: Section | undefined;
  onShow(section: Section | undefined): void;
  onRotate(): void;
}

function Sections({ webhook, shown, onShow, onRotate }: SectionsProps) {
  const link = (section: Section, label: string) => (
    <Anchor
      component="button"
      size="sm"
      aria-expanded={shown === section}
      onClick={() => onShow(shown === section ? undefined : section)}
    >
      {label}
    </Anchor>
  );
  return (
    <Group mt={4} gap="md" style={{ rowGap: 4 }}>
      {link('inbox', 'Deliveries')}
      {link('settings', 'Settings')}
      {isDocumented(webhook) && link('curl', 'Example request')}
      {webhook.verification.kind === 'signature' && (
        <Anchor component="button" size="sm" onClick={onRotate}>
          Rotate secret
        </Anchor>
      )}
    </Group>
  );
}

interface QuestionsProps extends Props {
  question: Question | undefined;
  onClose(): void;
}

/** The dialogs before a change that can’t be undone. */
function Questions({ webhook, question, onSecret, onChange, onRemoved = onChange, onClose }: QuestionsProps) {
  const trpc = useTRPC();
  const params = { id: webhook.workflowId, webhookId: webhook.id };
  const rotate = useMutation(
    trpc.webhooks.rotateSecret.mutationOptions({
      onSuccess: (renewed) => {
        onClose();
        onSecret(renewed);
      },
    }),
  );
  const remove = useMutation(trpc.webhooks.delete.mutationOptions({ onSuccess: onRemoved }));
  return (
    <>
      <Confirm
        isOpen={question === 'rotate'}
        title="Rotate the secret?"
        action="Rotate secret"
        isBusy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate({ params })}
        onClose={onClose}
      >
        The new secret is shown only once. The old one stays valid during the grace period of the workspace, so that
        senders can switch.
      </Confirm>
      <Confirm
        isOpen={question === 'delete'}
        title={`Remove “${webhook.path}”?`}
        action="Remove"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params })}
        onClose={onClose}
      >
        Requests to this URL are refused from now on.
      </Confirm>
    </>
  );
}
