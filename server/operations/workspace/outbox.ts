import { OutboxPage, type OutboxMail } from '@/contract/outbox';
import { PageQuery } from '@/contract/text';
import type { OutboxMail as Row } from '@/generated/prisma/client';
import { operation } from '@/server/api/operation';

const shown = ({ attachments, createdAt, ...row }: Row) => ({
  ...row,
  attachments: (attachments ?? []) as OutboxMail['attachments'],
  createdAt: createdAt.toISOString(),
});

const list = operation({
  id: 'outbox.list',
  method: 'GET',
  path: '/api/outbox',
  summary: 'List mails that were stored instead of sent',
  description: 'A development installation without SMTP_URL sends no mail; what its workflows would send is here.',
  tag: 'Outbox',
  access: { resource: 'execution', action: 'read' },
  effect: 'read',
  query: PageQuery,
  output: OutboxPage,
  async run({ db, caller: { workspaceId } }, { query: { limit, offset } }) {
    const where = { workspaceId };
    const [rows, total] = await Promise.all([
      db.outboxMail.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.outboxMail.count({ where }),
    ]);
    return { data: rows.map(shown), total, limit, offset };
  },
});

export const outbox = [list];
