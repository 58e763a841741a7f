import { ListOutboxResponse, type OutboxMailResponse } from '@/contract/outbox';
import { PaginationQuery } from '@/contract/text';
import type { OutboxMail as Row } from '@/generated/prisma/client';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { visibleValue } from '@/server/people/access/links';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';

const toOutboxResponse = ({ attachments, createdAt, ...row }: Row) => ({
  ...row,
  attachments: (attachments ?? []) as OutboxMailResponse['attachments'],
  createdAt: createdAt.toISOString(),
});

/**
 * Whether a mail is addressed to the caller. An API key has fewer rights than its person, and does not open their mail.
 */
const isMailRecipient = ({ email, apiKeyId }: WorkspaceCaller, { to }: Row): boolean =>
  apiKeyId === null && to.some((one) => one.toLowerCase() === email);

const listOutboxOperation = defineOperation({
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
  query: PaginationQuery,
  reply: jsonReply(ListOutboxResponse),
  async run({ db, caller }, { query: { limit, offset } }) {
    const where = { workspaceId: caller.workspaceId };
    const [rows, total] = await Promise.all([
      db.outboxMail.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.outboxMail.count({ where }),
    ]);
    const data = rows.map((row) =>
      isMailRecipient(caller, row) ? toOutboxResponse(row) : visibleValue(caller, toOutboxResponse(row)),
    );
    return { data, total, limit, offset };
  },
});

export const outboxOperations = [listOutboxOperation];
