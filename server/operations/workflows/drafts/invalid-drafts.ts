import { z } from 'zod';
import { InvalidDraft, InvalidDraftList } from '@/contract/workflows/invalid-draft';
import { Definition, WorkflowFields } from '@/contract/workflows/workflow';
import type { FieldError } from '@/contract/error';
import type { Prisma } from '@/generated/prisma/client';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { etag, expectedVersion } from '@/server/api/precondition';
import { conflict, invalidField, notFound } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import { definitionIssues } from '@/server/workflow/definition';
import { findWorkflow, lockWorkflow } from '../content';
import { ExpectedVersion, MAX_BODY, MAX_VALUES } from '../input';

const tag = 'Workflows';
const path = '/api/workflows/{id}/draft/invalid';
const Id = z.strictObject({ id: z.string() });

/** Large and of little use beyond the first ones. */
const MAX_STORED_ISSUES = 100;

const SUMMARY = {
  select: {
    userId: true,
    version: true,
    name: true,
    issues: true,
    updatedAt: true,
    user: { select: { name: true } },
  },
} satisfies Prisma.InvalidDraftFindManyArgs;

const present = ({ user, updatedAt, issues, ...row }: Prisma.InvalidDraftGetPayload<typeof SUMMARY>) => ({
  ...row,
  userName: user.name,
  issues: issues as unknown as FieldError[],
  updatedAt: updatedAt.toISOString(),
});

/** People who left the workspace are not shown. */
const ofMembers = (workspaceId: string, workflowId: string): Prisma.InvalidDraftWhereInput => ({
  workflowId,
  user: { memberships: { some: { workspaceId } } },
});

/** Which of these workflows have changes that are not saved because of errors. */
export async function withInvalidDraft(db: Db, ids: string[]): Promise<Set<string>> {
  const where = { workflowId: { in: ids } };
  const rows = await db.invalidDraft.findMany({ where, select: { workflowId: true }, distinct: 'workflowId' });
  return new Set(rows.map(({ workflowId }) => workflowId));
}

const list = operation({
  id: 'invalidDrafts.list',
  method: 'GET',
  path,
  summary: 'List changes that are not saved because of errors',
  description: 'One entry for each person who has such changes, the latest first, without the definition.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(InvalidDraftList),
  async run({ db, caller: { workspaceId } }, { params: { id } }) {
    await findWorkflow(db, workspaceId, id);
    const where = ofMembers(workspaceId, id);
    const rows = await db.invalidDraft.findMany({ where, ...SUMMARY, orderBy: { updatedAt: 'desc' } });
    return { data: rows.map(present) };
  },
});

const get = operation({
  id: 'invalidDrafts.get',
  method: 'GET',
  path: `${path}/{userId}`,
  summary: 'Read the changes of one person that are not saved because of errors',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: readEffect(),
  params: Id.extend({ userId: z.string() }),
  reply: jsonReply(InvalidDraft, { headers: etag }),
  async run({ db, caller: { workspaceId } }, { params: { id, userId } }) {
    await findWorkflow(db, workspaceId, id);
    const select = { ...SUMMARY.select, definition: true };
    const row = await db.invalidDraft.findFirst({ where: { ...ofMembers(workspaceId, id), userId }, select });
    if (!row) throw notFound('The draft');
    const { definition, ...rest } = row;
    return { ...present(rest), definition: definition as Definition };
  },
});

const save = operation({
  id: 'invalidDrafts.save',
  method: 'PUT',
  path,
  summary: 'Store changes that cannot be saved because of errors',
  description:
    'For editors: a definition that `PUT /api/workflows/{id}/draft` refuses is stored for the caller, next to the workflow, ' +
    'so that the work is not lost and others can read it. Nothing runs it. The next version that the caller saves takes its ' +
    'place. The shape of the definition must be right; a definition without errors is refused (400). With `If-Match` or ' +
    '`version`, the version that the changes are based on, it is refused (409) if another user saved meanwhile.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  body: jsonBody(
    WorkflowFields.pick({ name: true }).extend({ definition: Definition, version: ExpectedVersion.optional() }),
    { maxBytes: MAX_BODY, maxValues: MAX_VALUES },
  ),
  reply: jsonReply(InvalidDraft, { headers: etag }),
  async run({ db, caller, headers, note }, { params: { id }, body: { name, definition, version } }) {
    await findWorkflow(db, caller.workspaceId, id);
    // Outside of the lock: checking a large definition takes its time.
    const issues = await definitionIssues(definition, { workspaceId: caller.workspaceId });
    if (issues.length === 0) throw invalidField('definition', 'has no errors: save it as a draft');
    const row = await lockWorkflow(db, caller.workspaceId, id);
    const latest = row.draftVersion ?? row.version;
    const expected = expectedVersion(headers, version) ?? latest;
    if (expected !== latest)
      throw conflict(`The workflow was changed by another request: it was last saved as version ${latest}.`);
    note({ metadata: { changed: ['definition'], errors: issues.length } });
    const { userId } = caller;
    // As text: Prisma looks at each value of JSON, which takes a quarter of a second for a large definition.
    await db.$executeRaw`
      INSERT INTO invalid_draft (workflow_id, user_id, version, name, definition, issues, updated_at)
      VALUES (${id}, ${userId}, ${latest}, ${name}, ${JSON.stringify(definition)}::json,
        ${JSON.stringify(issues.slice(0, MAX_STORED_ISSUES))}::jsonb, ${new Date()})
      ON CONFLICT (workflow_id, user_id) DO UPDATE SET version = excluded.version, name = excluded.name,
        definition = excluded.definition, issues = excluded.issues, updated_at = excluded.updated_at`;
    const where = { workflowId_userId: { workflowId: id, userId } };
    const stored = await db.invalidDraft.findUniqueOrThrow({ where, ...SUMMARY });
    return { ...present(stored), definition };
  },
});

const remove = operation({
  id: 'invalidDrafts.delete',
  method: 'DELETE',
  path,
  summary: 'Discard my changes that are not saved because of errors',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    await db.invalidDraft.deleteMany({ where: { workflowId: id, userId: caller.userId } });
  },
});

export const invalidDrafts = [list, get, save, remove];
