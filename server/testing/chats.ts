import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { ChatTrigger } from '@/contract/triggers/chat';
import type { ChatReplyEvent } from '@/contract/triggers/chat-limits';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { routeWebRequest } from '@/server/api/http/routes';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { getRuntime } from '@/server/platform/runtime';
import { buildUser, buildWorkflow, call, type Answer, type Refused, type TestUser } from './factories';

/** A chat, and the owner of its workflow. */
export interface TestChat {
  user: TestUser;
  workflowId: string;
  chat: ChatTrigger;
  /** What follows `/api/chat/` in its address. */
  at: string;
}

const SETTINGS = { path: 'ask', title: 'Ask', access: 'public' };

export const createChat = (
  { token }: TestUser,
  workflowId: string,
  settings: object = {},
): Promise<Answer<ChatTrigger & Refused>> =>
  call('POST', `/api/workflows/${workflowId}/chats`, { token, body: { ...SETTINGS, ...settings } });

export async function buildChat(
  settings: object = {},
  { definition, status = 'active' }: { definition?: WorkflowDefinition; status?: string } = {},
): Promise<TestChat> {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, status, definition });
  const { status: created, body: chat } = await createChat(user, workflowId, settings);
  expect(created, JSON.stringify(chat)).toBe(201);
  return { user, workflowId, chat, at: `${workflowId}/${chat.path}` };
}

export const newSession = (): string => randomBytes(16).toString('base64url');

interface Sent {
  session?: string;
  files?: File[];
  headers?: Record<string, string>;
  /** The client disconnects. */
  signal?: AbortSignal;
}

const HEADERS = { [PEER_ADDRESS_HEADER]: '192.0.2.7' };

/** Sends a message as the page does. The answer's body is a stream of events. */
export function send({ at }: Pick<TestChat, 'at'>, message: string, sent: Sent = {}): Promise<Response> {
  const { session = newSession(), files = [], headers, signal } = sent;
  const body = new FormData();
  body.append('session', session);
  body.append('message', message);
  for (const file of files) body.append('files', file);
  const url = new URL(`/api/chat/${at}`, getRuntime().env.apiBaseUrl);
  return routeWebRequest(new Request(url, { method: 'POST', body, headers: { ...HEADERS, ...headers }, signal }));
}

/** Asks for the answer of a run by its receipt. */
export function ask({ at }: Pick<TestChat, 'at'>, session: string, receipt: string, headers = {}): Promise<Response> {
  const url = new URL(`/api/chat-answers/${at}`, getRuntime().env.apiBaseUrl);
  const all = { ...HEADERS, 'content-type': 'application/json', ...headers };
  return routeWebRequest(
    new Request(url, { method: 'POST', body: JSON.stringify({ session, receipt }), headers: all }),
  );
}

const eventIn = (block: string): ChatReplyEvent => {
  const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
  return { event, data: JSON.parse(data) } as ChatReplyEvent;
};

/** The events of an answer, up to one of this kind or to their end. */
export async function eventsOf(answer: Response, until?: ChatReplyEvent['event']): Promise<ChatReplyEvent[]> {
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (until && text.includes(`event: ${until}\n`)) break;
  }
  return text.split('\n\n').filter(Boolean).map(eventIn);
}

/** The receipt in the first event, and what the last event says. */
export async function lastOf(answer: Response): Promise<{ receipt: string; last: ChatReplyEvent }> {
  const events = await eventsOf(answer);
  const [started] = events;
  const receipt = started?.event === 'started' ? started.data.receipt : '';
  return { receipt, last: events.at(-1)! };
}
