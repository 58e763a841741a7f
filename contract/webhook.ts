import { z } from 'zod';
import { PageQuery, Timestamp, page } from './text';

/** 1 to 100 of a-z 0-9 - _ in segments parted by `/`; no empty segment. */
export const WebhookPath = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/, { error: 'may hold a-z 0-9 - _ in segments parted by /' });

export const WebhookCreate = z.strictObject({ path: WebhookPath });

export const Webhook = z
  .object({ id: z.string(), workflowId: z.string(), path: z.string(), url: z.string(), createdAt: Timestamp })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

/** The secret is shown here and never again. */
export const WebhookWithSecret = Webhook.extend({ secret: z.string() }).meta({ id: 'WebhookWithSecret' });

export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const WebhookPage = page(Webhook).meta({ id: 'WebhookPage' });

/** The answer to a signed delivery. */
export const WebhookAccepted = z
  .object({ executionId: z.string(), status: z.literal('accepted') })
  .meta({ id: 'WebhookAccepted' });

/** accepted: it started a run. duplicate: the same sender's id had started one. refused: `reason` says why. */
export const Verdict = z.enum(['accepted', 'duplicate', 'refused']).meta({ id: 'DeliveryVerdict' });
export type Verdict = z.infer<typeof Verdict>;

/** One call of a webhook. */
export const Delivery = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    receivedAt: Timestamp,
    verdict: Verdict,
    reason: z.string().nullable(),
    senderId: z.string().nullable().meta({ description: "X-Service-Delivery: the sender's own id" }),
    executionId: z.string().nullable(),
    replayOf: z.string().nullable().meta({ description: 'The delivery that somebody sent again with this one' }),
    canReplay: z.boolean(),
    ipAddress: z.string(),
    userAgent: z.string(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryPage = page(Delivery).meta({ id: 'DeliveryPage' });

export const DeliveryQuery = PageQuery.extend({ verdict: Verdict.optional() });
