import { z } from 'zod';
import { CreatedAt, ObjectId } from './shared-fields';
import { pageSchema } from './text';

/** An email that a development installation stored instead of sending. `to` has all recipients. */
export const OutboxMailResponse = z
  .object({
    id: ObjectId,
    from: z.string().describe('The sender'),
    to: z.array(z.string()).describe('The recipients'),
    subject: z.string().describe('First line that recipients see'),
    text: z.string().nullable().describe('Body without formatting; null: none'),
    html: z.string().nullable().describe('The HTML of the mail; null: none'),
    attachments: z
      .array(
        z.object({
          filename: z.string().describe('The name of the file'),
          contentType: z.string().describe('The media type'),
          size: z.number().int().describe('The size in bytes'),
        }),
      )
      .meta({ description: 'Their content is not kept' }),
    createdAt: CreatedAt,
  })
  .meta({ id: 'OutboxMail', description: 'A mail that a development installation kept instead of sending it' });
export type OutboxMailResponse = z.infer<typeof OutboxMailResponse>;

export const ListOutboxResponse = pageSchema(OutboxMailResponse).meta({ id: 'OutboxPage' });
