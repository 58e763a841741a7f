import {
  MAX_PROJECT_BYTES,
  ProjectContent,
  ApplyProjectRequest,
  PlanProjectRequest,
  ExportProjectQuery,
} from '@/contract/projects/project';
import { ProjectPlan, type ProjectObjectType } from '@/contract/projects/project-plan';
import { memberAccess, defineOperation, type SignedInCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import type { DatabaseClient } from '@/server/platform/db/client';
import { runCallInTransaction } from '@/server/platform/db/transaction';
import { conflictProblem, invalidRequestProblem, ApiProblem } from '@/server/platform/errors/problem';
import { requireNormalOperation } from '@/server/platform/maintenance';
import { exportProject } from './export';
import { listReadableObjects } from './object-keys';
import { pushCredentials, pushTables, pushVariables } from './push-objects';
import { projectKey, PushState } from './push-state';
import { WorkflowPush } from './push-workflows';
import { listProjectReferences } from './matched-workflow';

const PROJECT_TAG = 'Projects';
/** Maximum bytes of a push: the files and the settings beside them. */
export const MAX_PROJECT_BODY_BYTES = MAX_PROJECT_BYTES + 1024 * 1024;
export const MAX_PROJECT_VALUES = 500_000;
/** The first push of a large project takes 10 s, and more on a busy machine. */
const PUSH_TRANSACTION_MS = 90_000;

/** Throws 400 unless keys and ids of the files name one object each. */
function requireUniqueKeys({ workflows, credentials, tables, variables }: PlanProjectRequest): void {
  const lists: [string, ProjectObjectType, string[]][] = [
    ['workflows', 'workflow', workflows.map(projectKey)],
    ['credentials', 'credential', credentials.map(projectKey)],
    ['tables', 'table', tables.map(projectKey)],
    ['variables', 'variable', variables.map(({ name }) => name)],
    ['workflows', 'workflow', workflows.map((item) => item.id ?? projectKey(item))],
  ];
  const errors = lists.flatMap(([list, kind, names]) =>
    names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : [{ field: `${list}[${index}]`, message: `is the second ${kind} ${name}: give it a \`key\` of its own` }],
    ),
  );
  if (errors.length > 0) throw invalidRequestProblem(errors);
}

/**
 * A process carries out at most this many pushes at a time, because each holds a database connection that others need
 * as well.
 */
const MAX_CONCURRENT_PUSHES = 3;
let runningPushes = 0;

/** Carries out a push in the transaction of the call, as far as nothing refuses it. */
async function pushWithinLimit(call: SignedInCall, asked: PlanProjectRequest, isDone: boolean): Promise<ProjectPlan> {
  requireUniqueKeys(asked);
  if (runningPushes >= MAX_CONCURRENT_PUSHES)
    throw new ApiProblem('RATE_LIMITED', 'Too many pushes are under way. Try again in a minute.', [], {
      headers: { 'Retry-After': '60' },
    });
  runningPushes += 1;
  try {
    return await pushUnderLock(call, asked, isDone);
  } finally {
    runningPushes -= 1;
  }
}

async function pushUnderLock(call: SignedInCall, asked: PlanProjectRequest, isDone: boolean): Promise<ProjectPlan> {
  const { db, caller } = call;
  // Two pushes at once would create the same objects. The second one fails instead of waiting, so that it holds no
  // connection.
  const [lock] = await db.$queryRaw<{ got: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`projects:${caller.workspaceId}`}, 0)) AS got`;
  if (!lock?.got) throw conflictProblem('Another push to this workspace is under way. Try again.');
  const state = new PushState(call, asked, await listReadableObjects(db, caller));
  await pushTables(state);
  await pushVariables(state);
  const used = asked.workflows.flatMap(listProjectReferences).filter(({ resource }) => resource === 'credential');
  await pushCredentials(state, new Set(used.map(({ id }) => id)));
  const workflows = await WorkflowPush.prepare(state);
  await workflows.apply();
  return state.plan(await workflows.pushedWorkflows(isDone));
}

const exportProjectOperation = defineOperation({
  id: 'projects.export',
  method: 'GET',
  path: '/api/projects/export',
  summary: 'Read workflows as files of a project',
  description:
    'The workflows that the caller may read and the query selects, with those that they call, their triggers and tests, and the ' +
    'credentials (without secrets), tables (without rows) and variables that they use. Without a selection all of the workspace. ' +
    'References are names in place of ids, so that a push finds the objects of another workspace.',
  tag: PROJECT_TAG,
  access: memberAccess('workflow', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: ExportProjectQuery,
  reply: jsonReply(ProjectContent),
  run: (call, { query }) => exportProject(call, query),
});

/** Rolls back the transaction of a plan, whose changes must not be kept. */
class PlanRollback extends Error {
  constructor(readonly plan: ProjectPlan) {
    super('A plan changes nothing.');
  }
}

const planPushOperation = defineOperation({
  id: 'projects.plan',
  method: 'POST',
  path: '/api/projects/plan',
  summary: 'Show what a push would change',
  description:
    'Carries out the push, with every check, and undoes it. `issues` are all reasons to refuse it, `notes` what remains to be done ' +
    'by hand.',
  tag: PROJECT_TAG,
  access: memberAccess('workflow', 'update'),
  // The plan's own transaction is rolled back.
  effect: readEffect({ hasOwnTransaction: true }),
  body: jsonBody(PlanProjectRequest, { maxBytes: MAX_PROJECT_BODY_BYTES, maxValues: MAX_PROJECT_VALUES }),
  reply: jsonReply(ProjectPlan),
  async run(call, { body }) {
    requireNormalOperation();
    const ignored = () => undefined;
    try {
      const work = async (db: DatabaseClient) => {
        throw new PlanRollback(
          await pushWithinLimit({ ...call, db, inTransaction: true, afterwards: ignored }, body, false),
        );
      };
      return await runCallInTransaction(true, work, PUSH_TRANSACTION_MS);
    } catch (error) {
      if (error instanceof PlanRollback) return error.plan;
      throw error;
    }
  },
});

const applyPushOperation = defineOperation({
  id: 'projects.apply',
  method: 'POST',
  path: '/api/projects/apply',
  summary: 'Push the files of a project',
  description:
    'Creates and changes tables, variables, credentials, folders and workflows with their triggers and tests, in one transaction: ' +
    'all of it, or nothing (409 with the issues). Each change needs the permission that it needs by itself, and has its own audit ' +
    'entry. Workflows are found by earlier pushes of the project, then by their ids, then by their names; one that was changed ' +
    'here since is refused without `force`. Only `prune` deletes.',
  tag: PROJECT_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change', { transactionMs: PUSH_TRANSACTION_MS }),
  body: jsonBody(ApplyProjectRequest, { maxBytes: MAX_PROJECT_BODY_BYTES, maxValues: MAX_PROJECT_VALUES }),
  reply: jsonReply(ProjectPlan),
  async run(call, { body: { fingerprint, ...asked } }) {
    const done = await pushWithinLimit(call, asked, true);
    const { changes, issues } = done;
    call.note({ resourceId: asked.project, metadata: { name: asked.project, changes: changes.length } });
    if (issues.length > 0)
      throw new ApiProblem(
        'CONFLICT',
        'The project was not pushed.',
        issues.flatMap(({ kind, name, message, details }) => [
          { field: `${kind} ${name}`, message },
          ...details.map((detail) => ({ field: `${kind} ${name}: ${detail.field}`, message: detail.message })),
        ]),
      );
    if (fingerprint !== undefined && fingerprint !== done.fingerprint)
      throw conflictProblem('The workspace has changed since the plan. Plan again.');
    return { ...done, changes: changes.map(({ before: _before, after: _after, ...change }) => change) };
  },
});

export const projectOperations = [exportProjectOperation, planPushOperation, applyPushOperation];
