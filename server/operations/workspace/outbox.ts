import { OutboxPage, type OutboxMail } from '@/contract/outbox';
import { PageQuery } from '@/contract/text';
import type { OutboxMail as Row } from '@/generated/prisma/client';
import type { Caller } from '@/server/access/caller';
import { shownTo } from '@/server/access/links';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonReply, readEffect } from '@/server/api/operation-parts';

const present = ({ attachments, createdAt, ...row }: Row) => ({
  ...row,
  attachments: (attachments ?? []) as OutboxMail['attachments'],
  createdAt: createdAt.toISOString(),
});

/** Whether a mail is to this person. A key stands for less than its person: it does not open their mail. */
const isRecipient = ({ email, apiKeyId }: Caller, { to }: Row): boolean =>
  apiKeyId === null && to.some((one) => one.toLowerCase() === email);

const list = operation({
  id: 'outbox.list',
  method: 'GET',
  path: '/api/outbox',
  summary: 'List mails that were stored instead of sent',
  description:
    'A development installation without SMTP_URL sends no mail; what its workflows would send is here. Links that carry rights, such as ' +
    'those to decide an approval, are shown to the recipient of the mail and to admins; others see `[hidden]` in their place.',
  tag: 'Outbox',
  access: memberAccess('execution', 'read'),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(OutboxPage),
  async run({ db, caller }, { query: { limit, offset } }) {
    const where = { workspaceId: caller.workspaceId };
    const [rows, total] = await Promise.all([
      db.outboxMail.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.outboxMail.count({ where }),
    ]);
    const data = rows.map((row) => (isRecipient(caller, row) ? present(row) : shownTo(caller, present(row))));
    return { data, total, limit, offset };
  },
});

export const outbox = [list];
