import type { ChatPageContent } from '@/contract/triggers/chat';
import type { ChatReplyEvent } from '@/contract/triggers/chat-limits';
import { requestService, ServiceRefusal } from '@/components/client/service-request';
import { readServerEvents } from '@/components/client/server-events';

const encodeChatAddress = (address: string) => address.split('/').map(encodeURIComponent).join('/');

const readChatEvents = ({ body }: Response): AsyncGenerator<ChatReplyEvent> => {
  if (!body) throw new TypeError('The answer is empty.');
  return readServerEvents(body);
};

export const fetchChatOpening = async (address: string): Promise<ChatPageContent> =>
  (await (await requestService(`/api/chat/${encodeChatAddress(address)}`)).json()) as ChatPageContent;

export async function sendChatMessage(
  address: string,
  { session, message, files }: { session: string; message: string; files: readonly File[] },
  signal: AbortSignal,
): Promise<AsyncGenerator<ChatReplyEvent>> {
  const body = new FormData();
  body.append('session', session);
  body.append('message', message);
  for (const file of files) body.append('files', file);
  return readChatEvents(
    await requestService(`/api/chat/${encodeChatAddress(address)}`, { method: 'POST', body, signal }),
  );
}

export async function requestChatReply(
  address: string,
  { session, receipt }: { session: string; receipt: string },
  signal: AbortSignal,
): Promise<AsyncGenerator<ChatReplyEvent>> {
  const body = JSON.stringify({ session, receipt });
  const headers = { 'content-type': 'application/json' };
  return readChatEvents(
    await requestService(`/api/chat-answers/${encodeChatAddress(address)}`, { method: 'POST', body, headers, signal }),
  );
}

/** Whether the service refused for good. Otherwise it is busy, or cannot be reached. */
export const isPermanentRefusal = (error: unknown): error is ServiceRefusal =>
  error instanceof ServiceRefusal && error.status < 500 && error.status !== 429;

/** Turns an error into a sentence for the reader. */
export const chatErrorSentence = (error: unknown): string => {
  if (!(error instanceof ServiceRefusal)) return 'The service can’t be reached. Check your connection and try again.';
  const { message } = error;
  // Issues of a field, such as “is too long”.
  return /^[a-z]/.test(message) ? `The message ${message}.` : message;
};
