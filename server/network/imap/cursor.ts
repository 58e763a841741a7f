import { z } from 'zod';

/** The position up to which a mailbox has been read. A poll stores it in the transaction that starts the runs. */
export const MailCursor = z.strictObject({
  mailbox: z.string().max(1000).meta({ description: 'The folder' }),
  uidValidity: z.string().max(20).meta({ description: 'As long as it is the same, UIDs name the same messages' }),
  uid: z.number().int().min(0).meta({ description: 'The highest UID that has been looked at: the watermark' }),
  /** When the newest message up to there arrived, in ISO 8601; null: there was none. */
  receivedAt: z.string().max(40).nullable().meta({ apiDescription: 'When the last message arrived' }),
  pending: z
    .array(z.number().int().min(1))
    .max(1000)
    .meta({ description: 'UIDs of messages that were read, and on which `afterwards` is still to be done' }),
});
export type MailCursor = z.infer<typeof MailCursor>;
