import { ActionIcon, Anchor, Badge, Box, Group, Paper, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import type { WebhookTrigger, WebhookWithSecret } from '@/contract/triggers/webhook';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { CopyIconButton } from '@/components/ui/values/CopyIconButton';
import { DeliveryList } from './DeliveryList';
import { ListenButton } from '../listening/ListenButton';
import { describeWebhookResponse } from './ResponseField';
import { signedCurlCommand } from './signed-curl';
import { SubscriptionEdit } from './SubscriptionEdit';
import { SubscriptionState } from './SubscriptionState';
import { WebhookEdit } from './WebhookEdit';
import { hasDocumentedSignature, acceptsUnexpiringTokens, verificationLabel } from './webhook-draft';
import { CopyableText } from '@/components/ui/values/CopyableText';

interface Props {
  webhook: WebhookTrigger;
  isWorkflowActive: boolean;
  onSecret(webhook: WebhookWithSecret): void;
  onChange(): void;
  /** Called when the person starts to listen for a test call. */
  onListen?(): void;
  /** Called after the removal. By default `onChange` is called. */
  onRemoved?(): void;
}

type ConfirmedAction = 'rotate' | 'delete';
type CardSection = 'inbox' | 'curl' | 'settings';

/** One webhook: URL, switch, settings, deliveries, example request, and secret rotation. */
export function WebhookCard(props: Props) {
  const { webhook, isWorkflowActive, onSecret, onChange, onListen } = props;
  const [question, setQuestion] = useState<ConfirmedAction>();
  const [shown, setShown] = useState<CardSection>();
  const { id: webhookId, workflowId, url, path, response, subscription } = webhook;
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Webhook ${path}`}>
      {subscription ? (
        <SubscriptionState
          {...{ webhook, subscription, isWorkflowActive, onChange }}
          onChoose={() => setShown('settings')}
        />
      ) : (
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          <CopyIconButton label="Copy the URL" value={url} />
        </Group>
      )}
      {response.mode !== 'accepted' && (
        <Text size="xs" c="dimmed" mt={4}>
          {describeWebhookResponse(response)}
        </Text>
      )}
      <Group mt={6} justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {subscription ? '' : `${webhook.methods.join(', ')} · ${verificationLabel(webhook)}`}
        </Text>
        <Group gap={6} wrap="nowrap">
          <WebhookEnabledSwitch webhook={webhook} onChange={onChange} />
          <ActionIcon color="madder" aria-label={`Delete webhook ${path}`} onClick={() => setQuestion('delete')}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      {acceptsUnexpiringTokens(webhook) && (
        <Badge mt={6} size="sm" variant="light" color="weld" tt="none">
          Tokens that never expire are accepted
        </Badge>
      )}
      <CardSectionLinks webhook={webhook} shown={shown} onShow={setShown} onRotate={() => setQuestion('rotate')} />
      <ListenButton workflowId={workflowId} webhook={webhook} onListen={onListen} />
      {shown === 'inbox' && <DeliveryList workflowId={workflowId} webhookId={webhookId} />}
      {shown === 'settings' && (
        <Box mt="sm">
          <WebhookSettings
            {...{ webhook, isWorkflowActive }}
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
          <CopyableText label="cURL" text={signedCurlCommand(url)} />
        </Stack>
      )}
      <WebhookConfirmations {...props} question={question} onClose={() => setQuestion(undefined)} />
    </Paper>
  );
}

/** The settings of the webhook: those of its event, if the service makes it at a provider. */
const WebhookSettings = ({
  isWorkflowActive,
  ...props
}: ComponentProps<typeof WebhookEdit> & { isWorkflowActive: boolean }) =>
  props.webhook.subscription ? (
    <SubscriptionEdit {...props} {...{ isWorkflowActive }} subscription={props.webhook.subscription} />
  ) : (
    <WebhookEdit {...props} />
  );

function WebhookEnabledSwitch({
  webhook: { id, workflowId, path, enabled },
  onChange,
}: Pick<Props, 'webhook' | 'onChange'>) {
  const trpc = useTRPC();
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: onChange,
      onError: (error) =>
        notifications.show({ color: 'madder', title: 'Not changed', message: apiErrorSentence(error) }),
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

interface CardSectionLinksProps {
  webhook: WebhookTrigger;
  shown: CardSection | undefined;
  onShow(section: CardSection | undefined): void;
  onRotate(): void;
}

function CardSectionLinks({ webhook, shown, onShow, onRotate }: CardSectionLinksProps) {
  const link = (section: CardSection, label: string) => (
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
      {hasDocumentedSignature(webhook) && link('curl', 'Example request')}
      {webhook.verification.kind === 'signature' && (
        <Anchor component="button" size="sm" onClick={onRotate}>
          Rotate secret
        </Anchor>
      )}
    </Group>
  );
}

interface WebhookConfirmationsProps extends Props {
  question: ConfirmedAction | undefined;
  onClose(): void;
}

/** The dialogs before a change that can’t be undone. */
function WebhookConfirmations({
  webhook,
  question,
  onSecret,
  onChange,
  onRemoved = onChange,
  onClose,
}: WebhookConfirmationsProps) {
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
      <ConfirmDialog
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
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={question === 'delete'}
        title={`Delete the webhook “${webhook.path}”?`}
        action="Delete"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params })}
        onClose={onClose}
      >
        Requests to this URL are refused from now on.
      </ConfirmDialog>
    </>
  );
}
