import { z } from 'zod';
import type { FileValue } from '@/contract/file-value';
import { ChatReplyRequest, ChatPageContent } from '@/contract/triggers/chat';
import {
  MAX_CHAT_FILES,
  MAX_CHAT_UPLOAD_BYTES,
  MAX_CHAT_MESSAGE_LENGTH,
  type ChatReplyEvent,
} from '@/contract/triggers/chat-limits';
import type { AuthenticatedPerson } from '@/server/people/access/caller';
import { defineOperation, publicAccess, type OperationCall } from '@/server/api/operation/operation';
import {
  contentReply,
  jsonBody,
  jsonReply,
  readEffect,
  submitEffect,
  uploadBody,
} from '@/server/api/operation/operation-parts';
import { isSameOriginRequest } from '@/server/people/auth/browser-session';
import { networkOfAddress } from '@/server/platform/messages/client-address';
import { submitRun } from '@/server/engine/queue/submit';
import {
  conflictProblem,
  forbiddenProblem,
  invalidRequestProblem,
  invalidFieldProblem,
  notFoundProblem,
  ApiProblem,
  unauthorizedProblem,
} from '@/server/platform/errors/problem';
import { EvaluationFailedError } from '@/server/evaluation/evaluator/evaluation';
import { chatBucketName } from '@/server/platform/limits/buckets';
import type { PageAddress } from '../pages/addresses';
import { eventStreamResponse } from '../event-stream';
import { identifyPageMember, MembershipRefusal } from '../pages/page-member';
import { findInputIssues } from '../workflows/workflow-rows';
import { streamChatEvents, waitForChatReply, type ChatClient } from './events';
import { chatIdsByAddress, readAddressedChat, type AddressedChat } from './addressed-chat';
import { readPostedMessage, withStoredFiles } from './message';
import { signChatReceipt, readChatReceipt, chatSessionId, type ConversationIdentity } from './session';

const CONVERSATION_TAG = 'Chats';

/** These options are the same for all operations of the chat page. */
const CHAT_PAGE_OPTIONS = {
  tag: CONVERSATION_TAG,
  access: publicAccess({
    callsAs: 'nobody',
    /**
     * Counts per client network and chat, so that a flood of messages uses up neither the workspace’s bucket nor that
     * of its network.
     */
    async bucketOf({ workflowId = '', path = '' }: Record<string, string>, network: string) {
      const id = await chatIdsByAddress.findId({ workflowId, path });
      return id && chatBucketName(id, network);
    },
  }),
  params: z.strictObject({ workflowId: z.string(), path: z.string() }),
  otherReplies: ['FORBIDDEN', 'CONFLICT'],
} as const;

const CHAT_EVENTS_TEXT =
  'Server-sent events. `started` `{receipt}`: the run is stored. `working` and `waiting` `{}`: it runs, or waits for an approval, ' +
  'a call or a time; sent again every ten seconds. `partial` `{at, text}`: a part of an answer that a model is writing, from position `at` on. `message` `{format: markdown or json, text}`: the answer. `error` `{message}`: there is ' +
  'none. `later` `{}`: the run continues, ask again by the receipt. The last three end the stream.';

const CHAT_STREAM_RESPONSE = { status: 200, mediaTypes: ['text/event-stream'], description: CHAT_EVENTS_TEXT } as const;

/**
 * Finds the chat at an address and identifies the caller. Throws a Problem for a caller whom the chat does not admit.
 */
async function findChatForCaller(
  call: OperationCall,
  address: PageAddress,
): Promise<{ chat: AddressedChat; person: AuthenticatedPerson | null }> {
  const chat = await readAddressedChat(address);
  if (!chat) throw notFoundProblem('The chat');
  if (chat.access === 'public') return { chat, person: null };
  const person = await identifyPageMember(call, chat.workspaceId, 'chat');
  if (!(person instanceof MembershipRefusal)) return { chat, person };
  throw person.isSignedOut ? unauthorizedProblem(person.reason) : forbiddenProblem(person.reason);
}

function requireOpenChat({ enabled, workflowStatus }: AddressedChat): void {
  if (!enabled || workflowStatus !== 'active')
    throw conflictProblem('This chat is closed. It does not take messages at the moment.');
}

const openChatOperation = defineOperation({
  ...CHAT_PAGE_OPTIONS,
  id: 'chats.open',
  method: 'GET',
  path: '/api/chat/{workflowId}/{path...}',
  summary: 'Read what the page of a chat shows first',
  description: 'A chat for members takes their session or token. A chat that is closed is refused with 409.',
  effect: readEffect(),
  reply: jsonReply(ChatPageContent),
  async run(call, { params }) {
    const { chat } = await findChatForCaller(call, params);
    requireOpenChat(chat);
    return chat;
  },
});

const sendMessageOperation = defineOperation({
  ...CHAT_PAGE_OPTIONS,
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
      message: { kind: 'text', description: `The text, at most ${MAX_CHAT_MESSAGE_LENGTH} characters.` },
      files: { kind: 'files', description: `At most ${MAX_CHAT_FILES} files, if the chat takes them.` },
    },
    maxBytes: MAX_CHAT_UPLOAD_BYTES + 1024 * 1024,
  }),
  reply: contentReply(CHAT_STREAM_RESPONSE),
  async run(call, { params }) {
    const { chat, person } = await findChatForCaller(call, params);
    requireOpenChat(chat);
    if (!isSameOriginRequest(call.headers, call.method))
      throw forbiddenProblem('The message was sent by a page of another site.');
    const posted = await readPostedMessage(call, chat);
    const userId = person?.userId ?? null;
    const session: ConversationIdentity = { chatId: chat.id, userId, secret: posted.session };
    const owner = { workspaceId: chat.workspaceId, createdBy: userId };
    const { message } = posted;
    try {
      return await withStoredFiles(call, posted, owner, (files, keep) =>
        startChatRun(call, { chat, person, session, message, files }, keep),
      );
    } catch (error) {
      throw toSenderError(error);
    }
  },
});

const toChatClient = ({ connection, ipAddress }: OperationCall, { id, workspaceId }: AddressedChat): ChatClient => ({
  workspaceId,
  sender: chatBucketName(id, networkOfAddress(ipAddress)),
  connection,
});

interface ChatRunRequest {
  chat: AddressedChat;
  person: AuthenticatedPerson | null;
  session: ConversationIdentity;
  message: string;
  files: FileValue[];
}

/** Starts the run of a message and streams its events. Calls `onStored` once the run is stored. */
async function startChatRun(call: OperationCall, said: ChatRunRequest, onStored: () => void): Promise<Response> {
  const { chat, person, session, message, files } = said;
  const { workspaceId, workflowId, workflowVersion } = chat;
  const input = { sessionId: chatSessionId(session), message, files };
  const issues = await findInputIssues(call.db, workflowId, workflowVersion, input, workspaceId);
  if (issues.length > 0) throw invalidRequestProblem(issues, 'The workflow does not take this message.');
  const triggeredBy = { id: chat.id, name: chat.path };
  const run = { workspaceId, workflowId, workflowVersion, trigger: 'chat', triggeredBy, input } as const;
  call.note({ workspaceId, resourceId: chat.id, metadata: { workflowId, path: chat.path } });
  const entry = call.auditEntry();
  const actor = person && { type: 'user', id: person.userId, email: person.email };
  const client = toChatClient(call, chat);
  const caller = waitForChatReply(client);
  try {
    const { executionId } = await submitRun(
      { ...run, createdBy: session.userId },
      { audit: actor ? { ...entry, actor } : entry, caller },
    );
    onStored();
    const rest = streamChatEvents(client, executionId, caller, true);
    return eventStreamResponse(
      prependEvent({ event: 'started', data: { receipt: signChatReceipt(session, executionId) } }, rest),
    );
  } catch (error) {
    caller?.stopWaiting();
    throw error;
  }
}

async function* prependEvent(
  first: ChatReplyEvent,
  rest: AsyncIterable<ChatReplyEvent>,
): AsyncGenerator<ChatReplyEvent> {
  yield first;
  yield* rest;
}

const CHAT_BUSY_MESSAGE = 'The chat cannot take messages at the moment. Try again later.';

/** Hides quotas and limits of the workspace from the sender, who only learns about errors that they can correct. */
function toSenderError(error: unknown): unknown {
  if (error instanceof EvaluationFailedError)
    return new ApiProblem('RATE_LIMITED', CHAT_BUSY_MESSAGE, [], { cause: error });
  if (!(error instanceof ApiProblem) || error.code === 'VALIDATION_ERROR' || error.code === 'INTERNAL_ERROR')
    return error;
  return new ApiProblem('RATE_LIMITED', CHAT_BUSY_MESSAGE, [], { cause: error, headers: error.headers });
}

const awaitReplyOperation = defineOperation({
  ...CHAT_PAGE_OPTIONS,
  id: 'chats.answer',
  method: 'POST',
  path: '/api/chat-answers/{workflowId}/{path...}',
  summary: 'Wait for the answer to a message',
  description: 'For a client whose connection ended before the answer. The receipt is good for its own session only.',
  effect: readEffect(),
  body: jsonBody(ChatReplyRequest),
  reply: contentReply(CHAT_STREAM_RESPONSE),
  async run(call, { params, body: { session: secret, receipt } }) {
    const { chat, person } = await findChatForCaller(call, params);
    const executionId = readChatReceipt({ chatId: chat.id, userId: person?.userId ?? null, secret }, receipt);
    if (executionId === null) throw invalidFieldProblem('receipt', 'is not one of this conversation');
    const client = toChatClient(call, chat);
    const caller = waitForChatReply(client);
    caller?.assignRun(executionId);
    return eventStreamResponse(streamChatEvents(client, executionId, caller, false));
  },
});

export const conversationOperations = [openChatOperation, sendMessageOperation, awaitReplyOperation];
