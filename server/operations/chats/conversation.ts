import { z } from 'zod';
import type { FileValue } from '@/contract/file-value';
import { ChatAnswerRequest, ChatOpening } from '@/contract/triggers/chat';
import {
  MAX_CHAT_FILES,
  MAX_CHAT_FILES_BYTES,
  MAX_CHAT_MESSAGE,
  type ChatEvent,
} from '@/contract/triggers/chat-limits';
import type { Person } from '@/server/access/caller';
import { operation, publicAccess, type Call } from '@/server/api/operation';
import { contentReply, jsonBody, jsonReply, readEffect, submitEffect, uploadBody } from '@/server/api/operation-parts';
import { isFromThisOrigin } from '@/server/auth/browser-session';
import { networkOf } from '@/server/client-address';
import { submit } from '@/server/engine/queue/submit';
import { conflict, forbidden, invalid, invalidField, notFound, Problem, unauthorized } from '@/server/errors/problem';
import { EvaluationFailed } from '@/server/evaluation/evaluation';
import { chatBucket } from '@/server/limits/buckets';
import type { Address } from '../pages/addresses';
import { eventStream } from '../event-stream';
import { memberOf, NotMember } from '../pages/member';
import { inputIssuesOf } from '../workflows/content';
import { eventsOf, waitForAnswer, type Client } from './events';
import { chatIds, readChat, type AddressedChat } from './lookup';
import { readMessage, withFiles } from './message';
import { receiptOf, runOf, sessionIdOf, type Session } from './session';

const tag = 'Chats';

/** The same for all calls of the page. */
const PAGE = {
  tag,
  access: publicAccess({
    callsAs: 'nobody',
    /** The address of the client and the chat: a flood of messages neither uses up the workspace’s bucket nor that of its network. */
    async bucketOf({ workflowId = '', path = '' }: Record<string, string>, network: string) {
      const id = await chatIds.at({ workflowId, path });
      return id && chatBucket(id, network);
    },
  }),
  params: z.strictObject({ workflowId: z.string(), path: z.string() }),
  otherReplies: ['FORBIDDEN', 'CONFLICT'],
} as const;

const EVENTS =
  'Server-sent events. `started` `{receipt}`: the run is stored. `working` and `waiting` `{}`: it runs, or waits for an approval, ' +
  'a call or a time; sent again every ten seconds. `partial` `{at, text}`: a part of an answer that a model is writing, from position `at` on. `message` `{format: markdown or json, text}`: the answer. `error` `{message}`: there is ' +
  'none. `later` `{}`: the run continues, ask again by the receipt. The last three end the stream.';

const PRODUCES = { status: 200, mediaTypes: ['text/event-stream'], description: EVENTS } as const;

/** The chat at an address and who calls it. Throws a Problem for callers that it is not for. */
async function found(call: Call, address: Address): Promise<{ chat: AddressedChat; person: Person | null }> {
  const chat = await readChat(address);
  if (!chat) throw notFound('The chat');
  if (chat.access === 'public') return { chat, person: null };
  const person = await memberOf(call, chat.workspaceId, 'chat');
  if (!(person instanceof NotMember)) return { chat, person };
  throw person.isSignedOut ? unauthorized(person.reason) : forbidden(person.reason);
}

function requireOpen({ enabled, workflowStatus }: AddressedChat): void {
  if (!enabled || workflowStatus !== 'active')
    throw conflict('This chat is closed. It does not take messages at the moment.');
}

const open = operation({
  ...PAGE,
  id: 'chats.open',
  method: 'GET',
  path: '/api/chat/{workflowId}/{path...}',
  summary: 'Read what the page of a chat shows first',
  description: 'A chat for members takes their session or token. A chat that is closed is refused with 409.',
  effect: readEffect(),
  reply: jsonReply(ChatOpening),
  async run(call, { params }) {
    const { chat } = await found(call, params);
    requireOpen(chat);
    return chat;
  },
});

const send = operation({
  ...PAGE,
  id: 'chats.send',
  method: 'POST',
  path: '/api/chat/{workflowId}/{path...}',
  summary: 'Send a message to a chat',
  description:
    'A form with `session`, `message` and, if the chat takes them, `files`. It starts a run; the answer follows as server-sent ' +
    'events. The run continues if the client disconnects.',
  effect: submitEffect('resource_access'),
  body: uploadBody({
    form: {
      session: {
        kind: 'text',
        description: 'The secret of the conversation: 22 to 64 random characters.',
        isRequired: true,
      },
      message: { kind: 'text', description: `The text, at most ${MAX_CHAT_MESSAGE} characters.` },
      files: { kind: 'files', description: `At most ${MAX_CHAT_FILES} files, if the chat takes them.` },
    },
    maxBytes: MAX_CHAT_FILES_BYTES + 1024 * 1024,
  }),
  reply: contentReply(PRODUCES),
  async run(call, { params }) {
    const { chat, person } = await found(call, params);
    requireOpen(chat);
    if (!isFromThisOrigin(call.headers, call.method))
      throw forbidden('The message was sent by a page of another site.');
    const posted = await readMessage(call, chat);
    const userId = person?.userId ?? null;
    const session: Session = { chatId: chat.id, userId, secret: posted.session };
    const owner = { workspaceId: chat.workspaceId, createdBy: userId };
    const { message } = posted;
    try {
      return await withFiles(call, posted, owner, (files, keep) =>
        start(call, { chat, person, session, message, files }, keep),
      );
    } catch (error) {
      throw forSender(error);
    }
  },
});

const clientOf = ({ connection, ipAddress }: Call, { id, workspaceId }: AddressedChat): Client => ({
  workspaceId,
  sender: chatBucket(id, networkOf(ipAddress)),
  connection,
});

interface Said {
  chat: AddressedChat;
  person: Person | null;
  session: Session;
  message: string;
  files: FileValue[];
}

/** Starts the run of a message. `onStored` is called when it is stored. */
async function start(call: Call, said: Said, onStored: () => void): Promise<Response> {
  const { chat, person, session, message, files } = said;
  const { workspaceId, workflowId, workflowVersion } = chat;
  const input = { sessionId: sessionIdOf(session), message, files };
  const issues = await inputIssuesOf(call.db, workflowId, workflowVersion, input, workspaceId);
  if (issues.length > 0) throw invalid(issues, 'The workflow does not take this message.');
  const triggeredBy = { id: chat.id, name: chat.path };
  const run = { workspaceId, workflowId, workflowVersion, trigger: 'chat', triggeredBy, input } as const;
  call.note({ workspaceId, resourceId: chat.id, metadata: { workflowId, path: chat.path } });
  const entry = call.auditEntry();
  const actor = person && { type: 'user', id: person.userId, email: person.email };
  const client = clientOf(call, chat);
  const caller = waitForAnswer(client);
  try {
    const { executionId } = await submit(
      { ...run, createdBy: session.userId },
      { audit: actor ? { ...entry, actor } : entry, caller },
    );
    onStored();
    const rest = eventsOf(client, executionId, caller, true);
    return eventStream(startingWith({ event: 'started', data: { receipt: receiptOf(session, executionId) } }, rest));
  } catch (error) {
    caller?.leave();
    throw error;
  }
}

async function* startingWith(first: ChatEvent, rest: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
  yield first;
  yield* rest;
}

const BUSY = 'The chat cannot take messages at the moment. Try again later.';

/** Quotas and limits of the workspace are not the sender’s business. What they can change themselves, they are told. */
function forSender(error: unknown): unknown {
  if (error instanceof EvaluationFailed) return new Problem('RATE_LIMITED', BUSY, [], { cause: error });
  if (!(error instanceof Problem) || error.code === 'VALIDATION_ERROR' || error.code === 'INTERNAL_ERROR') return error;
  return new Problem('RATE_LIMITED', BUSY, [], { cause: error, headers: error.headers });
}

const answer = operation({
  ...PAGE,
  id: 'chats.answer',
  method: 'POST',
  path: '/api/chat-answers/{workflowId}/{path...}',
  summary: 'Wait for the answer to a message',
  description: 'For a client whose connection ended before the answer. The receipt is good for its own session only.',
  effect: readEffect(),
  body: jsonBody(ChatAnswerRequest),
  reply: contentReply(PRODUCES),
  async run(call, { params, body: { session: secret, receipt } }) {
    const { chat, person } = await found(call, params);
    const executionId = runOf({ chatId: chat.id, userId: person?.userId ?? null, secret }, receipt);
    if (executionId === null) throw invalidField('receipt', 'is not one of this conversation');
    const client = clientOf(call, chat);
    const caller = waitForAnswer(client);
    caller?.follow(executionId);
    return eventStream(eventsOf(client, executionId, caller, false));
  },
});

export const conversation = [open, send, answer];
