import { asN8nObject, cutWellFormed, type N8nNode } from '../file';
import type { ConvertedTrigger } from './trigger';

/** Our names of the fields in n8n's simple format, by the names in n8n. */
const MAIL_FIELD_NAMES: ReadonlyMap<string, string> = new Map([
  ['textPlain', 'text'],
  ['textHtml', 'html'],
]);

/** The rules of a search that a poll has as well. */
interface MailboxFilter {
  unseen?: boolean;
  from?: string;
  subject?: string;
}

/** The filter of the node: a list of IMAP's search words, in JSON. `isWhole`: a poll has all of them. */
function readMailboxFilter(rules: unknown): { filter: MailboxFilter; isWhole: boolean } {
  const filter: MailboxFilter = {};
  let isWhole = true;
  for (const rule of parseSearchRules(rules)) {
    const [word, value] = [rule].flat().map(String);
    if (word === 'UNSEEN') filter.unseen = true;
    else if (word === 'FROM' && value) filter.from = cutWellFormed(value, 1000);
    else if (word === 'SUBJECT' && value) filter.subject = cutWellFormed(value, 1000);
    else if (word !== 'ALL') isWhole = false;
  }
  return { filter, isWhole };
}

function parseSearchRules(rules: unknown): unknown[] {
  if (typeof rules !== 'string') return ['UNSEEN'];
  try {
    return [JSON.parse(rules) as unknown].flat();
  } catch {
    return ['unknown'];
  }
}

/** A poll of a mailbox. It is disabled until it has an account. */
export function convertMailbox({ name, parameters }: N8nNode): ConvertedTrigger {
  const { mailbox: folder, postProcessAction = 'read', downloadAttachments, format = 'simple' } = parameters;
  const { filter, isWhole } = readMailboxFilter(asN8nObject(parameters['options'])['customEmailConfig']);
  const config = {
    since: '{{ cursor }}',
    ...(typeof folder === 'string' && folder.trim() !== '' ? { mailbox: cutWellFormed(folder, 1000) } : {}),
    ...filter,
    attachments: downloadAttachments === true || format === 'resolved',
    ...(postProcessAction === 'read' ? { afterwards: 'mark_read' } : {}),
  };
  const settings = {
    name: cutWellFormed(name.trim(), 200) || 'New email',
    intervalMs: 60_000,
    node: { type: 'read_email', config },
    items: 'input.messages',
    key: 'item.id',
    cursor: 'input.cursor',
    language: 'jsonata' as const,
    deliver: 'each' as const,
    first: 'skip' as const,
    enabled: false,
  };
  const hints = [
    asN8nObject(parameters['options'])['allowUnauthorizedCerts'] === true
      ? 'Choose its mail account under Triggers, with the certificate of its server as CA, then enable it.'
      : 'Choose its mail account under Triggers, then enable it.',
    ...(isWhole ? [] : ['It has no other filters than unread, sender and subject: add a condition for the rest.']),
    ...(format === 'simple' ? [] : ['Check what reads the message: its fields have other names.']),
  ];
  return { triggers: [{ kind: 'poll', settings }], isWhole: false, message: hints.join(' '), names: MAIL_FIELD_NAMES };
}
