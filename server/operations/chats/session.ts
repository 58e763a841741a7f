import { createHash } from 'node:crypto';
import { isSigned, signatureOf } from '@/server/db/signing';

/** Whose conversation it is: `secret` is made by the client, `userId` is null on a public chat. */
export interface Session {
  chatId: string;
  userId: string | null;
  secret: string;
}

/**
 * The `sessionId` of the runs of a conversation. A one-way function of its secret: who reads runs cannot continue the conversation. The
 * chat and the person are part of it: a client can neither reach another person's conversation nor choose the key of other memories.
 */
export const sessionIdOf = ({ chatId, userId, secret }: Session): string =>
  createHash('sha256')
    .update(JSON.stringify([chatId, userId, secret]))
    .digest('base64url');

/** Domain separation: the same key also signs other tokens. */
const PURPOSE = 'weft chat receipt\n';

const textOf = (session: Session, executionId: string) => JSON.stringify([sessionIdOf(session), executionId]);

/** The right to the answer of a run, for the client of this session alone. */
export const receiptOf = (session: Session, executionId: string): string =>
  `${executionId}.${signatureOf(PURPOSE, textOf(session, executionId))}`;

/** The run of a receipt; null: it is not one of this session. */
export function runOf(session: Session, receipt: string): string | null {
  const [executionId = '', signature = ''] = receipt.split('.', 2);
  return isSigned(signature, PURPOSE, textOf(session, executionId)) ? executionId : null;
}
