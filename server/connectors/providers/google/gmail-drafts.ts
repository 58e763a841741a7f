import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { listedLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { toGmailMessage } from './gmail-message';
import { gmailSearchQuery, gmailTokenPaging } from './gmail-messages';
import { GMAIL_API, gmailMessageExample, gmailRateLimit, sentMailExample } from './gmail-parts';

// https://developers.google.com/workspace/gmail/api/guides/drafts
const GMAIL_DRAFTS_PATH = '/users/me/drafts';
const gmailDraftId = listedLineParameter('Draft', 'drafts').describe('Id of the draft, e.g. r-4286');

/** Operations with drafts that exist. */
export const gmailDraftOperations: OperationDefinition[] = [
  {
    id: 'gmail.list_drafts',
    title: 'List drafts',
    help: 'Their ids, and those of their emails.',
    limits: gmailRateLimit,
    method: 'GET',
    api: GMAIL_API,
    path: GMAIL_DRAFTS_PATH,
    inQuery: gmailSearchQuery,
    names: { query: 'q', limit: 'maxResults' },
    items: 'drafts',
    paging: gmailTokenPaging,
    example: { drafts: [{ id: 'r-4286', message: { id: '19a2b3c4d5e6f708', threadId: '19a2b3c4d5e6f708' } }] },
  },
  defineSteppedOperation({
    id: 'gmail.get_draft',
    title: 'Get a draft',
    help: 'Its email with texts and the ids of attachments.',
    limits: gmailRateLimit,
    parameters: { draft: gmailDraftId },
    *steps({ draft: of }) {
      const path = `${GMAIL_DRAFTS_PATH}/${encodeURIComponent(of)}`;
      const { body } = yield { api: GMAIL_API, path, query: { format: 'full' } };
      return { id: getAtPath(body, 'id'), message: toGmailMessage(getAtPath(body, 'message')) };
    },
    example: { id: 'r-4286', message: gmailMessageExample },
  }),
  {
    id: 'gmail.send_draft',
    title: 'Send a draft',
    help: 'Sends it to the addresses that it has; the draft is removed.',
    limits: gmailRateLimit,
    method: 'POST',
    api: GMAIL_API,
    path: `${GMAIL_DRAFTS_PATH}/send`,
    inBody: { draft: gmailDraftId },
    names: { draft: 'id' },
    example: sentMailExample,
  },
  {
    id: 'gmail.delete_draft',
    title: 'Delete a draft',
    help: 'Removes it for good.',
    limits: gmailRateLimit,
    method: 'DELETE',
    api: GMAIL_API,
    path: `${GMAIL_DRAFTS_PATH}/{draft}`,
    inPath: { draft: gmailDraftId },
    example: null,
  },
];
