import { NodeFailure } from '@/server/platform/errors/node-failure';
import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { listedLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { toGmailMessage } from './gmail-message';
import { gmailSearchQuery, gmailTokenPaging } from './gmail-messages';
import {
  GMAIL_API,
  gmailLabels,
  gmailMessageExample,
  gmailRateLimit,
  mailReplyParameters,
  modifyLabels,
  replyToMessage,
  resolveLabelIds,
  sentMailExample,
} from './gmail-parts';

// https://developers.google.com/workspace/gmail/api/guides/threads
const GMAIL_THREADS_PATH = '/users/me/threads';
const gmailThreadId = listedLineParameter('Thread', 'threads').describe('Its id: `threadId` of an email');
const gmailThreadPath = (id: string) => `${GMAIL_THREADS_PATH}/${encodeURIComponent(id)}`;
const changedThreadExample = { id: '19a2b3c4d5e6f708', messages: [sentMailExample] };

const getThreadMessages = (body: unknown): unknown[] => (getAtPath(body, 'messages') ?? []) as unknown[];

/** Operations with threads: a message and its answers. */
export const gmailThreadOperations: OperationDefinition[] = [
  {
    id: 'gmail.list_threads',
    title: 'List threads',
    help: 'Newest first, each with its id and the beginning of its last email.',
    limits: gmailRateLimit,
    method: 'GET',
    api: GMAIL_API,
    path: GMAIL_THREADS_PATH,
    inQuery: gmailSearchQuery,
    names: { query: 'q', limit: 'maxResults' },
    items: 'threads',
    paging: gmailTokenPaging,
    example: { threads: [{ id: '19a2b3c4d5e6f708', snippet: 'Please find attached', historyId: '4286' }] },
  },
  defineSteppedOperation({
    id: 'gmail.get_thread',
    title: 'Get a thread',
    help: 'All its emails with their texts, the oldest first.',
    limits: gmailRateLimit,
    parameters: { thread: gmailThreadId },
    *steps({ thread: of }) {
      const { body } = yield { api: GMAIL_API, path: gmailThreadPath(of), query: { format: 'full' } };
      return { id: getAtPath(body, 'id'), messages: getThreadMessages(body).map(toGmailMessage) };
    },
    example: { id: '19a2b3c4d5e6f708', messages: [gmailMessageExample] },
  }),
  defineSteppedOperation({
    id: 'gmail.reply_to_thread',
    title: 'Reply to a thread',
    help: 'Answers its last email.',
    limits: gmailRateLimit,
    parameters: { thread: gmailThreadId, ...mailReplyParameters },
    *steps({ thread: of, ...reply }) {
      const { body } = yield { api: GMAIL_API, path: gmailThreadPath(of), query: { format: 'metadata' } };
      const last = getThreadMessages(body).at(-1);
      if (last === undefined) throw new NodeFailure('NOT_FOUND', `The thread "${of}" has no email.`, false);
      return yield* replyToMessage(last, reply);
    },
    example: sentMailExample,
  }),
  defineSteppedOperation({
    id: 'gmail.add_thread_labels',
    title: 'Add labels to a thread',
    help: 'Adds labels by their names or ids to all its emails.',
    limits: gmailRateLimit,
    parameters: { thread: gmailThreadId, labels: gmailLabels },
    *steps({ thread: of, labels: names }) {
      const change = { addLabelIds: yield* resolveLabelIds(names) };
      return (yield modifyLabels(GMAIL_THREADS_PATH, of, change)).body;
    },
    example: changedThreadExample,
  }),
  defineSteppedOperation({
    id: 'gmail.remove_thread_labels',
    title: 'Remove labels from a thread',
    help: 'Removes labels by their names or ids from all its emails; without INBOX it is archived.',
    limits: gmailRateLimit,
    parameters: { thread: gmailThreadId, labels: gmailLabels },
    *steps({ thread: of, labels: names }) {
      const change = { removeLabelIds: yield* resolveLabelIds(names) };
      return (yield modifyLabels(GMAIL_THREADS_PATH, of, change)).body;
    },
    example: changedThreadExample,
  }),
  defineSteppedOperation({
    id: 'gmail.delete_thread',
    title: 'Delete a thread for good',
    help: 'All its emails, past the trash. Needs the scope mail.google.com.',
    limits: gmailRateLimit,
    parameters: { thread: gmailThreadId },
    *steps({ thread: of }) {
      return (yield { method: 'DELETE', api: GMAIL_API, path: gmailThreadPath(of) }).body;
    },
    example: null,
  }),
  ...(['trash', 'untrash'] as const).map((action) =>
    defineSteppedOperation({
      id: `gmail.${action}_thread`,
      title: action === 'trash' ? 'Move a thread to the trash' : 'Take a thread out of the trash',
      help: action === 'trash' ? 'It is deleted after 30 days.' : 'Its emails get the labels back that they had.',
      limits: gmailRateLimit,
      parameters: { thread: gmailThreadId },
      *steps({ thread: of }) {
        return (yield { method: 'POST', api: GMAIL_API, path: `${gmailThreadPath(of)}/${action}` }).body;
      },
      example: changedThreadExample,
    }),
  ),
];
