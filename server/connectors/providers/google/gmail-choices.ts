import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource, SteppedChoiceSource } from '../../choices';
import { toGmailMessage } from './gmail-message';
import { getMessageRequest, GMAIL_API, GMAIL_MESSAGES_PATH } from './gmail-parts';

/** A list has ids alone, and every email takes a call of its own. */
const EMAILS_PER_PAGE = 15;

/** Emails or drafts with their subjects. `idAt`: where an item of the list has the id of its email. */
const emailSource = (path: string, itemsAt: string, idAt: string): SteppedChoiceSource => ({
  searches: true,
  *steps({ search, page }) {
    const query = { q: search || undefined, maxResults: EMAILS_PER_PAGE, pageToken: page ?? undefined };
    const { body } = yield { api: GMAIL_API, path, query };
    const items: unknown[] = [];
    for (const one of (getAtPath(body, itemsAt) ?? []) as unknown[]) {
      const read = yield getMessageRequest(String(getAtPath(one, idAt)), 'metadata');
      items.push({ ...toGmailMessage(read.body), id: getAtPath(one, 'id') });
    }
    const next = getAtPath(body, 'nextPageToken');
    return { items, next: typeof next === 'string' ? next : null };
  },
  value: 'id',
  label: ['subject', 'snippet'],
  hint: 'from',
});

/** What emails, drafts and threads are picked from. A search is that of Gmail. */
export const gmailChoices: Record<string, ConnectorChoiceSource> = {
  messages: emailSource(GMAIL_MESSAGES_PATH, 'messages', 'id'),
  drafts: emailSource('/users/me/drafts', 'drafts', 'message.id'),
  threads: {
    operation: 'gmail.list_threads',
    parameters: { limit: 100 },
    search: 'query',
    value: 'id',
    label: ['snippet'],
  },
};
