import { z } from 'zod';

/** Where reading has come to. Stored by a poll in the transaction that starts the runs. */
export const MailCursor = z.strictObject({
  mailbox: z.string().max(1000),
  /** As long as it is the same, UIDs name the same messages. */
  uidValidity: z.string().max(20),
  /** The highest UID that has been looked at: the watermark. */
  uid: z.number().int().min(0),
  /** When the newest message up to there arrived, in ISO 8601; null: there was none. */
  receivedAt: z.string().max(40).nullable(),
  /** UIDs of messages that were read, and on which `afterwards` is still to be done. */
  pending: z.array(z.number().int().min(1)).max(1000),
});
export type MailCursor = z.infer<typeof MailCursor>;
