import { z } from 'zod';
import { asStored, Timestamp, boundedText } from '../text';
import { NodeLabels } from '../workflows/node-labels';

const MAX_EVENT_PARAMETERS = 50;

/** Values of the parameters of an event, which are few and short. */
const EventParameters = z
  .record(boundedText(1, 100), z.union([z.string().max(1000), z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= MAX_EVENT_PARAMETERS, {
    error: `must have at most ${MAX_EVENT_PARAMETERS} fields`,
  })
  .meta({ description: 'Values of the parameters of the event' });
export type EventParameters = z.infer<typeof EventParameters>;

const EventLabels = NodeLabels.describe(
  'What picked parameters were called, by their names, such as `repo`. At most 4 KiB. Shown to people; without effect on deliveries',
);

/** What was read can be sent back. */
const ReadOnlyField = z.unknown().optional().meta({ description: 'Only read: it is ignored here' });

/** What a provider shall send to a webhook that the service makes there. */
export const SubscriptionRequest = z
  .strictObject({
    connectorId: boundedText(1, 100).describe('The connector of the provider'),
    event: boundedText(1, 100).describe('The id of one of its events'),
    parameters: EventParameters.default({}),
    credentialId: boundedText(1, 100)
      .nullable()
      .describe(
        'The account at the provider; null: it is chosen later, before the workflow is live. Parameters may be missing until then',
      ),
    labels: EventLabels.optional(),
    status: ReadOnlyField,
    externalId: ReadOnlyField,
    expiresAt: ReadOnlyField,
    error: ReadOnlyField,
  })
  .meta({
    id: 'SubscriptionRequest',
    description: 'The service makes the webhook at the provider itself. Needs `credential:use` and `connector:use`',
  });
export type SubscriptionRequest = Pick<
  z.infer<typeof SubscriptionRequest>,
  'connectorId' | 'event' | 'parameters' | 'credentialId' | 'labels'
>;

/**
 * waiting: it is made as soon as the workflow is active and the provider answers. active: the provider has it. failed:
 * the provider refused. removed: the workflow is paused or the webhook disabled.
 */
export const SubscriptionStatus = z.enum(['waiting', 'active', 'failed', 'removed']).meta({
  id: 'SubscriptionStatus',
  description:
    'waiting: it is made as soon as the workflow is active and the provider answers. active: the provider has it. ' +
    'failed: the provider refused. removed: the workflow is paused or the webhook disabled',
});
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

export const WebhookSubscriptionState = z
  .object({
    connectorId: z.string().describe('The connector of the provider'),
    event: z.string().describe('The id of one of its events'),
    parameters: EventParameters,
    credentialId: z.string().nullable().describe('The account at the provider; null: none is chosen yet'),
    labels: asStored(EventLabels).optional(),
    status: SubscriptionStatus,
    externalId: z.string().nullable().describe('What the provider calls its webhook; null: there is none'),
    expiresAt: Timestamp.nullable().describe('When the provider ends it, unless it is renewed; null: never'),
    error: z
      .object({ message: z.string().describe('In words for people'), at: Timestamp.describe('When it happened') })
      .nullable()
      .describe('Why it is not as it should be; null: it is'),
  })
  .meta({ id: 'WebhookSubscription', description: 'A webhook that the service makes at the provider' });
export type WebhookSubscriptionState = z.infer<typeof WebhookSubscriptionState>;

export const SubscribeResponse = z
  .object({ subscription: WebhookSubscriptionState })
  .meta({ id: 'SubscribeAccepted', description: 'The subscription, which is tried now' });
