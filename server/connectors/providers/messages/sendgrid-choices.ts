import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource } from '../../choices';

/** What lists the choices of SendGrid. https://www.twilio.com/docs/sendgrid/api-reference */
export const sendgridChoices: Record<string, ConnectorChoiceSource> = {
  templates: {
    operation: 'templates.list',
    parameters: { limit: 100 },
    value: 'id',
    label: ['name'],
    hint: 'updated_at',
  },
  lists: { operation: 'lists.list', parameters: { limit: 100 }, value: 'id', label: ['name'], hint: 'contact_count' },
  senders: {
    operation: 'senders.list',
    value: 'from_email',
    label: ['{from_name} <{from_email}>', 'from_email'],
    hint: 'nickname',
    where: { at: 'verified', is: [true] },
  },
  contacts: {
    searches: true,
    // Without a search SendGrid gives the fifty newest contacts.
    *steps({ search }) {
      const path = '/marketing/contacts';
      const text = search.toLowerCase().replaceAll(/['\\%_]/g, '');
      const query = `email LIKE '%${text}%'`;
      const { body } =
        text === ''
          ? yield { path }
          : yield { method: 'POST', path: `${path}/search`, body: { as: 'json', value: { query } } };
      const items = getAtPath(body, 'result');
      return { items: Array.isArray(items) ? (items as unknown[]) : [] };
    },
    value: 'id',
    label: ['email'],
    hint: 'first_name',
  },
};
