import { z } from 'zod';
import { Timestamp, page } from './text';

/** A mail that a development installation kept instead of sending it. `to` names all its recipients. */
export const OutboxMail = z
  .object({
    id: z.string(),
    from: z.string(),
    to: z.array(z.string()),
    subject: z.string(),
    text: z.string().nullable(),
    html: z.string().nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'OutboxMail' });
export type OutboxMail = z.infer<typeof OutboxMail>;

export const OutboxPage = page(OutboxMail).meta({ id: 'OutboxPage' });
