import { createHash } from 'node:crypto';
import { isValidSignature, signText } from '@/server/platform/db/signing';

/** Identifies a conversation. The client makes `secret`; `userId` is null on a public chat. */
export interface ConversationIdentity {
  chatId: string;
  userId: string | null;
  secret: string;
}

/**
 * The `sessionId` of the runs of a conversation. It is a one-way function of the secret, so that a reader of runs
 * cannot continue the conversation. It covers the chat and the person, so that a client can neither reach another
 * person's conversation nor choose a memory key.
 */
export const chatSessionId = ({ chatId, userId, secret }: ConversationIdentity): string =>
  createHash('sha256')
    .update(JSON.stringify([chatId, userId, secret]))
    .digest('base64url');

/** This prefix separates receipts from other tokens that the same key signs. */
const RECEIPT_SIGNING_PURPOSE = 'weft chat receipt\n';

const signedReceiptText = (session: ConversationIdentity, executionId: string) =>
  JSON.stringify([chatSessionId(session), executionId]);

/** Signs a receipt that entitles the client of this session, and no other, to the reply of a run. */
export const signChatReceipt = (session: ConversationIdentity, executionId: string): string =>
  `${executionId}.${signText(RECEIPT_SIGNING_PURPOSE, signedReceiptText(session, executionId))}`;

/** Returns the execution id of a receipt, or null if the receipt belongs to another session. */
export function readChatReceipt(session: ConversationIdentity, receipt: string): string | null {
  const [executionId = '', signature = ''] = receipt.split('.', 2);
  return isValidSignature(signature, RECEIPT_SIGNING_PURPOSE, signedReceiptText(session, executionId))
    ? executionId
    : null;
}
