import type { ConnectorResponse, ConnectorOperationInfo } from '@/contract/connectors/connector';
import type { SubscriptionRequest } from '@/contract/triggers/subscription';
import { serviceEventTitle } from '../event-title';
import { VERIFICATION_CHOICES, verificationPresets, type WebhookDraft } from '../webhook/webhook-draft';
import type { PollDraft } from '../poll/poll-draft';

/** What the form of a new trigger begins with. */
export interface TriggerPreset {
  poll?: Partial<PollDraft>;
  webhook?: Partial<WebhookDraft>;
  /** The service makes the webhook at the provider. */
  subscription?: Pick<SubscriptionRequest, 'connectorId' | 'event'>;
}

/** How a poll finds new items by an operation. Undefined if the operation is no source of polls. */
export function pollItemSettings({ poll }: ConnectorOperationInfo): Partial<PollDraft> | undefined {
  if (!poll) return undefined;
  const { items, key, cursor = '' } = poll;
  return { items, key, cursor };
}

/** A poll of an operation. `service`: what it belongs to, for the name. */
export function connectorPollPreset(
  { id: connectorId }: ConnectorResponse,
  operation: ConnectorOperationInfo,
  service: string,
): TriggerPreset | undefined {
  const { poll } = operation;
  if (!poll) return undefined;
  const { title, parameters = {} } = poll;
  const config = { connectorId, operation: operation.id, parameters };
  return {
    poll: { ...pollItemSettings(operation), name: serviceEventTitle(title, service), type: 'connector', config },
  };
}

/** A provider whose signed calls a webhook takes. */
export interface WebhookSender {
  id: string;
  label: string;
  preset: TriggerPreset;
}

export const WEBHOOK_SENDERS: readonly WebhookSender[] = Object.entries(VERIFICATION_CHOICES).flatMap(
  ([choice, { label, base }]) =>
    base.provider === undefined
      ? []
      : [
          {
            id: base.provider,
            label,
            preset: {
              webhook: { choice, values: verificationPresets(choice), path: base.provider.replaceAll('_', '-') },
            },
          },
        ],
);
