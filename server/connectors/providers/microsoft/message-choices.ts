import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { OperationChoiceSource, SteppedChoiceSource } from '../../choices';
import { encodePathPart, graphPage } from './graph-parts';

/** Emails of all folders, newest first, or those with a text. */
export const messageSource: SteppedChoiceSource = {
  searches: true,
  // https://learn.microsoft.com/graph/search-query-parameter: found ones cannot be ordered.
  *steps({ search, page }) {
    const sought = search.replaceAll(/["\\]/g, ' ').trim();
    const query = {
      $select: 'id,subject,from,receivedDateTime',
      $top: 50,
      ...(sought === '' ? { $orderby: 'receivedDateTime desc' } : { $search: `"${sought}"` }),
    };
    return yield* graphPage({ path: '/me/messages', query }, page);
  },
  value: 'id',
  label: ['subject', 'from.emailAddress.address'],
  hint: 'from.emailAddress.address',
};

export const attachmentSource: OperationChoiceSource = {
  operation: 'attachments.list',
  parametersFrom: { messageId: 'messageId' },
  value: 'id',
  label: ['name'],
  hint: 'contentType',
};

/** The text of a message of Teams, which may be HTML. */
const messageText = (message: unknown): string =>
  String(getAtPath(message, 'body.content') ?? '')
    .replaceAll(/<[^<>]*>/g, ' ')
    .trim();

/** Messages of a channel or of a chat, newest first. */
export const teamsMessageSource = (
  dependsOn: readonly string[],
  place: (part: (field: string) => string) => string,
): SteppedChoiceSource => ({
  dependsOn,
  *steps({ values, page }) {
    const path = `${place((field) => encodePathPart(values[field] ?? ''))}/messages`;
    const { items, next } = yield* graphPage({ path, query: { $top: 50 } }, page);
    return { items: items.map((message) => ({ ...(message as object), text: messageText(message) })), next };
  },
  value: 'id',
  label: ['text', 'createdDateTime'],
  hint: 'from.user.displayName',
});
