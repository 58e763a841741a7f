import { z } from 'zod';
import { InvalidDraftResponse, ListInvalidDraftsResponse } from '@/contract/workflows/invalid-draft';
import { WorkflowDefinition, WritableWorkflowFields } from '@/contract/workflows/workflow';
import type { FieldIssue } from '@/contract/error-response';
import type { Prisma } from '@/generated/prisma/client';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { versionEtagHeader, readExpectedVersion } from '@/server/api/operation/precondition';
import { conflictProblem, invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { findWorkflow, lockWorkflow } from '../workflow-rows';
import { ExpectedVersion, MAX_WORKFLOW_BODY_BYTES, MAX_WORKFLOW_JSON_VALUES } from '../request-fields';

const INVALID_DRAFT_TAG = 'Workflows';
const INVALID_DRAFT_PATH = '/api/workflows/{id}/draft/invalid';
const InvalidDraftParams = z.strictObject({ id: z.string() });

/** Further issues are large and of little use. */
const MAX_STORED_ISSUES = 100;

const INVALID_DRAFT_SUMMARY = {
  select: {
    userId: true,
    version: true,
    name: true,
    issues: true,
    updatedAt: true,
    user: { select: { name: true } },
  },
} satisfies Prisma.InvalidDraftFindManyArgs;

const toInvalidDraftResponse = ({
  user,
  updatedAt,
  issues,
  ...row
}: Prisma.InvalidDraftGetPayload<typeof INVALID_DRAFT_SUMMARY>) => ({
  ...row,
  userName: user.name,
  issues: issues as unknown as FieldIssue[],
  updatedAt: updatedAt.toISOString(),
});

/** People who left the workspace are not shown. */
const memberDraftsFilter = (workspaceId: string, workflowId: string): Prisma.InvalidDraftWhereInput => ({
  workflowId,
  user: { memberships: { some: { workspaceId } } },
});

/** Which of these workflows have changes that are not saved because of errors. */
export async function findInvalidDraftOwners(db: DatabaseClient, ids: string[]): Promise<Set<string>> {
  const where = { workflowId: { in: ids } };
  const rows = await db.invalidDraft.findMany({ where, select: { workflowId: true }, distinct: 'workflowId' });
  return new Set(rows.map(({ workflowId }) => workflowId));
}

const listInvalidDraftsOperation = defineOperation({
  id: 'invalidDrafts.list',
  method: 'GET',
  path: INVALID_DRAFT_PATH,
  summary: 'List changes that are not saved because of errors',
  description: 'One entry for each person who has such changes, the latest first, without the definition.',
  tag: INVALID_DRAFT_TAG,
  access: memberAccess('workflow', 'update'),
  effect: readEffect(),
  params: InvalidDraftParams,
  reply: jsonReply(ListInvalidDraftsResponse),
  async run({ db, caller: { workspaceId } }, { params: { id } }) {
    await findWorkflow(db, workspaceId, id);
    const where = memberDraftsFilter(workspaceId, id);
    const rows = await db.invalidDraft.findMany({ where, ...INVALID_DRAFT_SUMMARY, orderBy: { updatedAt: 'desc' } });
    return { data: rows.map(toInvalidDraftResponse) };
  },
});

const getInvalidDraftOperation = defineOperation({
  id: 'invalidDrafts.get',
  method: 'GET',
  path: `${INVALID_DRAFT_PATH}/{userId}`,
  summary: 'Read the changes of one person that are not saved because of errors',
  tag: INVALID_DRAFT_TAG,
  access: memberAccess('workflow', 'update'),
  effect: readEffect(),
  params: InvalidDraftParams.extend({ userId: z.string() }),
  reply: jsonReply(InvalidDraftResponse, { headers: versionEtagHeader }),
  async run({ db, caller: { workspaceId } }, { params: { id, userId } }) {
    await findWorkflow(db, workspaceId, id);
    const select = { ...INVALID_DRAFT_SUMMARY.select, definition: true };
    const row = await db.invalidDraft.findFirst({ where: { ...memberDraftsFilter(workspaceId, id), userId }, select });
    if (!row) throw notFoundProblem('The draft');
    const { definition, ...rest } = row;
    return { ...toInvalidDraftResponse(rest), definition: definition as WorkflowDefinition };
  },
});

const saveInvalidDraftOperation = defineOperation({
  id: 'invalidDrafts.save',
  method: 'PUT',
  path: INVALID_DRAFT_PATH,
  summary: 'Store changes that cannot be saved because of errors',
  description:
    'For editors: a definition that `PUT /api/workflows/{id}/draft` refuses is stored for the caller, next to the workflow, ' +
    'so that the work is not lost and others can read it. Nothing runs it. The next version that the caller saves takes its ' +
    'place. The shape of the definition must be right; a definition without errors is refused (400). With `If-Match` or ' +
    '`version`, the version that the changes are based on, it is refused (409) if another user saved meanwhile.',
  tag: INVALID_DRAFT_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: InvalidDraftParams,
  body: jsonBody(
    WritableWorkflowFields.pick({ name: true }).extend({
      definition: WorkflowDefinition,
      version: ExpectedVersion.optional(),
    }),
    { maxBytes: MAX_WORKFLOW_BODY_BYTES, maxValues: MAX_WORKFLOW_JSON_VALUES },
  ),
  reply: jsonReply(InvalidDraftResponse, { headers: versionEtagHeader }),
  async run({ db, caller, headers, note }, { params: { id }, body: { name, definition, version } }) {
    await findWorkflow(db, caller.workspaceId, id);
    // Checking a large definition takes time, so it happens outside of the lock.
    const issues = await definitionIssues(definition, { workspaceId: caller.workspaceId });
    if (issues.length === 0) throw invalidFieldProblem('definition', 'has no errors: save it as a draft');
    const row = await lockWorkflow(db, caller.workspaceId, id);
    const latest = row.draftVersion ?? row.version;
    const expected = readExpectedVersion(headers, version) ?? latest;
    if (expected !== latest)
      throw conflictProblem(`The workflow was changed by another request: it was last saved as version ${latest}.`);
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
    const stored = await db.invalidDraft.findUniqueOrThrow({ where, ...INVALID_DRAFT_SUMMARY });
    return { ...toInvalidDraftResponse(stored), definition };
  },
});

const deleteInvalidDraftOperation = defineOperation({
  id: 'invalidDrafts.delete',
  method: 'DELETE',
  path: INVALID_DRAFT_PATH,
  summary: 'Discard my changes that are not saved because of errors',
  tag: INVALID_DRAFT_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: InvalidDraftParams,
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    await db.invalidDraft.deleteMany({ where: { workflowId: id, userId: caller.userId } });
  },
});

export const invalidDraftOperations = [
  listInvalidDraftsOperation,
  getInvalidDraftOperation,
  saveInvalidDraftOperation,
  deleteInvalidDraftOperation,
];
