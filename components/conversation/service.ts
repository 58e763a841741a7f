import type { ChatOpening } from '@/contract/triggers/chat';
import type { ChatEvent } from '@/contract/triggers/chat-limits';
import { request, RequestRefused } from '@/components/client/request';
import { serverEvents } from '@/components/client/server-events';

const addressed = (address: string) => address.split('/').map(encodeURIComponent).join('/');

const eventsIn = ({ body }: Response): AsyncGenerator<ChatEvent> => {
  if (!body) throw new TypeError('The answer is empty.');
  return serverEvents(body);
};

export const openChat = async (address: string): Promise<ChatOpening> =>
  (await (await request(`/api/chat/${addressed(address)}`)).json()) as ChatOpening;

export async function sendMessage(
  address: string,
  { session, message, files }: { session: string; message: string; files: readonly File[] },
  signal: AbortSignal,
): Promise<AsyncGenerator<ChatEvent>> {
  const body = new FormData();
  body.append('session', session);
  body.append('message', message);
  for (const file of files) body.append('files', file);
  return eventsIn(await request(`/api/chat/${addressed(address)}`, { method: 'POST', body, signal }));
}

export async function askForAnswer(
  address: string,
  { session, receipt }: { session: string; receipt: string },
  signal: AbortSignal,
): Promise<AsyncGenerator<ChatEvent>> {
  const body = JSON.stringify({ session, receipt });
  const headers = { 'content-type': 'application/json' };
  return eventsIn(await request(`/api/chat-answers/${addressed(address)}`, { method: 'POST', body, headers, signal }));
}

/** Whether the service refused for good. Otherwise it is busy, or cannot be reached. */
export const isRefused = (error: unknown): error is RequestRefused =>
  error instanceof RequestRefused && error.status < 500 && error.status !== 429;

/** An error as a sentence. */
export const sentenceOf = (error: unknown): string => {
  if (!(error instanceof RequestRefused)) return 'The service can’t be reached. Check your connection and try again.';
  const { message } = error;
  // Issues of a field, such as “is too long”.
  return /^[a-z]/.test(message) ? `The message ${message}.` : message;
};
