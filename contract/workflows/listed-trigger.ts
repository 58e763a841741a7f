import { z } from 'zod';

/** What can start a workflow by itself. A poll of a mailbox is of the kind `mail`. */
export const LISTED_TRIGGER_KINDS = ['webhook', 'schedule', 'poll', 'mail', 'form', 'chat'] as const;

/** A kind of trigger that a workflow has, at least once. Callers are told only of triggers that they may read. */
export const ListedTrigger = z
  .object({
    kind: z.enum(LISTED_TRIGGER_KINDS).describe('What kind of trigger it is'),
    service: z.string().nullable().meta({
      description: 'The connector that is polled or calls, or the provider whose signature is checked; null: none',
      example: 'shopify',
    }),
    operation: z.string().nullable().meta({
      description: 'The operation that is polled, or the event that is subscribed to; null: none',
      example: 'orders.create',
    }),
    enabled: z.boolean().meta({ description: 'Whether one of them is enabled' }),
  })
  .meta({ id: 'ListedTrigger', description: 'A kind of trigger that a workflow has' });
export type ListedTrigger = z.infer<typeof ListedTrigger>;
