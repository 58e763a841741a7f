import { z } from 'zod';
import { Timestamp, page } from './text';

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

export const WebhookPage = page(Webhook).meta({ id: 'WebhookPage' });

/** The answer to a signed delivery. */
export const WebhookAccepted = z
  .object({ executionId: z.string(), status: z.literal('accepted') })
  .meta({ id: 'WebhookAccepted' });
