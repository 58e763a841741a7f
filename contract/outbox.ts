import { z } from 'zod';
import { Timestamp, page } from './text';

/** An email that a development installation stored instead of sending. `to` has all recipients. */
export const OutboxMail = z
  .object({
    id: z.string(),
    from: z.string(),
    to: z.array(z.string()),
    subject: z.string(),
    text: z.string().nullable(),
    html: z.string().nullable(),
    attachments: z
      .array(z.object({ filename: z.string(), contentType: z.string(), size: z.number().int() }))
      .meta({ description: 'Their content is not kept' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'OutboxMail' });
export type OutboxMail = z.infer<typeof OutboxMail>;

export const OutboxPage = page(OutboxMail).meta({ id: 'OutboxPage' });
