import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from './shared-fields';
import type { ExecutionStatus, RunError } from './execution';
import { EmailAddress } from './access/session';
import { ALERT_EVENTS } from './states';
import { Timestamp, pageSchema, boundedText } from './text';

export const AlertEvent = z.enum(ALERT_EVENTS).meta({ id: 'AlertEvent', description: 'What an alert reports' });
export type AlertEvent = z.infer<typeof AlertEvent>;

/** Where an alert is sent: to people by mail, or to a webhook. */
const AlertTarget = z.union([
  z.strictObject({ emails: z.array(EmailAddress).min(1).max(20).describe('Email addresses of the recipients') }),
  z.strictObject({
    webhook: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .meta({ description: 'Called with POST, signed as Standard Webhooks' }),
  }),
]);
export type AlertTarget = z.infer<typeof AlertTarget>;

const alertThrottleMinutes = z.number().int().min(0).max(10_080).meta({
  description: 'Minutes without a further notice of this alert about the same workflow or credential; 0: each is sent',
});

export const AlertResponse = z
  .object({
    id: ObjectId,
    event: AlertEvent,
    workflowId: z.string().nullable().meta({ description: 'Null: every workflow' }),
    tag: z.string().nullable().meta({ description: 'Only workflows with this tag', example: null }),
    to: AlertTarget.describe('The recipients'),
    throttleMinutes: alertThrottleMinutes,
    enabled: z.boolean().describe('False: it is switched off'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    createdBy: CreatedBy,
    lastSentAt: Timestamp.nullable().describe('When it was sent last; null: never'),
    lastError: z.string().nullable().meta({ description: 'Why the last notice could not be delivered' }),
  })
  .meta({ id: 'Alert', description: 'A message by mail or webhook about failing or recovered runs' });
export type AlertResponse = z.infer<typeof AlertResponse>;

/** `secret` is shown only here, and only for webhooks. */
export const AlertWithSecret = AlertResponse.extend({
  secret: z.string().optional().meta({ description: 'Signs the webhook', example: 'whsec_<SECRET>' }),
}).meta({ id: 'AlertWithSecret', description: 'An alert with the secret that signs its webhook; shown once' });
export type AlertWithSecret = z.infer<typeof AlertWithSecret>;

export const ListAlertsResponse = pageSchema(AlertResponse).meta({ id: 'AlertPage' });

const alertWorkflowId = boundedText(1, 100).nullable();
const alertTag = boundedText(1, 50).nullable();

export const CreateAlertRequest = z.strictObject({
  event: AlertEvent,
  workflowId: alertWorkflowId.default(null).describe('Only runs of this workflow; null: of all'),
  tag: alertTag.default(null).describe('The tag of the workflows that it is about; null: all'),
  to: AlertTarget.describe('The recipients'),
  throttleMinutes: alertThrottleMinutes.default(5),
  enabled: z.boolean().default(true).describe('False: it is switched off'),
});

export const UpdateAlertRequest = z.strictObject({
  event: AlertEvent.optional(),
  workflowId: alertWorkflowId.optional().describe('Only runs of this workflow; null: of all'),
  tag: alertTag.optional().describe('The tag of the workflows that it is about; null: all'),
  to: AlertTarget.optional().describe('The recipients'),
  throttleMinutes: alertThrottleMinutes.optional(),
  enabled: z.boolean().optional().describe('False: it is switched off'),
});

/** The payload that the webhook of an alert receives. */
export interface AlertWebhookPayload {
  event: AlertEvent;
  alertId: string;
  workspaceId: string;
  workflow: { id: string; name: string } | null;
  execution: {
    id: string;
    url: string;
    status: ExecutionStatus;
    error: RunError | null;
    startedAt: string;
    completedAt: string | null;
  } | null;
  /** Present for `credential_expired`. */
  credential?: { id: string; name: string };
  at: string;
}
