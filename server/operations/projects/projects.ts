import {
  MAX_PROJECT_BYTES,
  Project,
  ProjectApply,
  ProjectPlan,
  ProjectPush,
  ProjectQuery,
  type ProjectObjectKind,
} from '@/contract/projects/project';
import { memberAccess, operation, type SignedInCall } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import type { Db } from '@/server/db/client';
import { callTransaction } from '@/server/db/transaction';
import { conflict, invalid, Problem } from '@/server/errors/problem';
import { requireNormalOperation } from '@/server/maintenance';
import { exportProject } from './export';
import { readCatalogue } from './names';
import { pushCredentials, pushTables, pushVariables } from './push-objects';
import { keyOf, PushState } from './push-state';
import { WorkflowPush } from './push-workflows';
import { referencesOf } from './pushed';

const tag = 'Projects';
/** The files, and what a push says besides them. */
export const MAX_PROJECT_BODY = MAX_PROJECT_BYTES + 1024 * 1024;
export const MAX_PROJECT_VALUES = 500_000;
/** The first push of a large project takes 10 s, and more on a busy machine. */
const TRANSACTION_MS = 90_000;

/** Throws 400 unless keys and ids of the files name one object each. */
function requireUnique({ workflows, credentials, tables, variables }: ProjectPush): void {
  const lists: [string, ProjectObjectKind, string[]][] = [
    ['workflows', 'workflow', workflows.map(keyOf)],
    ['credentials', 'credential', credentials.map(keyOf)],
    ['tables', 'table', tables.map(keyOf)],
    ['variables', 'variable', variables.map(({ name }) => name)],
    ['workflows', 'workflow', workflows.map((item) => item.id ?? keyOf(item))],
  ];
  const errors = lists.flatMap(([list, kind, names]) =>
    names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : [{ field: `${list}[${index}]`, message: `is the second ${kind} ${name}: give it a \`key\` of its own` }],
    ),
  );
  if (errors.length > 0) throw invalid(errors);
}

/** Pushes that a process carries out at a time: each holds a connection to the database, and others need some as well. */
const MAX_PUSHES = 3;
let pushes = 0;

/** Carries out a push in the transaction of the call, as far as nothing refuses it. */
async function push(call: SignedInCall, asked: ProjectPush, isDone: boolean): Promise<ProjectPlan> {
  requireUnique(asked);
  if (pushes >= MAX_PUSHES)
    throw new Problem('RATE_LIMITED', 'Too many pushes are under way. Try again in a minute.', [], {
      headers: { 'Retry-After': '60' },
    });
  pushes += 1;
  try {
    return await pushAlone(call, asked, isDone);
  } finally {
    pushes -= 1;
  }
}

async function pushAlone(call: SignedInCall, asked: ProjectPush, isDone: boolean): Promise<ProjectPlan> {
  const { db, caller } = call;
  // One push at a time: two would create the same objects. None waits, so that they do not hold connections.
  const [lock] = await db.$queryRaw<{ got: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`projects:${caller.workspaceId}`}, 0)) AS got`;
  if (!lock?.got) throw conflict('Another push to this workspace is under way. Try again.');
  const state = new PushState(call, asked, await readCatalogue(db, caller));
  await pushTables(state);
  await pushVariables(state);
  const used = asked.workflows.flatMap(referencesOf).filter(({ resource }) => resource === 'credential');
  await pushCredentials(state, new Set(used.map(({ id }) => id)));
  const workflows = await WorkflowPush.prepare(state);
  await workflows.apply();
  return state.plan(await workflows.outcome(isDone));
}

const exported = operation({
  id: 'projects.export',
  method: 'GET',
  path: '/api/projects/export',
  summary: 'Read workflows as files of a project',
  description:
    'The workflows that the caller may read and the query selects, with those that they call, their triggers and tests, and the ' +
    'credentials (without secrets), tables (without rows) and variables that they use. Without a selection all of the workspace. ' +
    'References are names in place of ids, so that a push finds the objects of another workspace.',
  tag,
  access: memberAccess('workflow', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: ProjectQuery,
  reply: jsonReply(Project),
  run: (call, { query }) => exportProject(call, query),
});

/** Ends the transaction of a plan, whose changes are not kept. */
class Undone extends Error {
  constructor(readonly plan: ProjectPlan) {
    super('A plan changes nothing.');
  }
}

const plan = operation({
  id: 'projects.plan',
  method: 'POST',
  path: '/api/projects/plan',
  summary: 'Show what a push would change',
  description:
    'Carries out the push, with every check, and undoes it. `issues` are all reasons to refuse it, `notes` what remains to be done ' +
    'by hand.',
  tag,
  access: memberAccess('workflow', 'update'),
  // Its transaction is undone.
  effect: readEffect({ hasOwnTransaction: true }),
  body: jsonBody(ProjectPush, { maxBytes: MAX_PROJECT_BODY, maxValues: MAX_PROJECT_VALUES }),
  reply: jsonReply(ProjectPlan),
  async run(call, { body }) {
    requireNormalOperation();
    const ignored = () => undefined;
    try {
      const work = async (db: Db) => {
        throw new Undone(await push({ ...call, db, inTransaction: true, afterwards: ignored }, body, false));
      };
      return await callTransaction(true, work, TRANSACTION_MS);
    } catch (error) {
      if (error instanceof Undone) return error.plan;
      throw error;
    }
  },
});

const apply = operation({
  id: 'projects.apply',
  method: 'POST',
  path: '/api/projects/apply',
  summary: 'Push the files of a project',
  description:
    'Creates and changes tables, variables, credentials, folders and workflows with their triggers and tests, in one transaction: ' +
    'all of it, or nothing (409 with the issues). Each change needs the permission that it needs by itself, and has its own audit ' +
    'entry. Workflows are found by earlier pushes of the project, then by their ids, then by their names; one that was changed ' +
    'here since is refused without `force`. Only `prune` deletes.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change', { transactionMs: TRANSACTION_MS }),
  body: jsonBody(ProjectApply, { maxBytes: MAX_PROJECT_BODY, maxValues: MAX_PROJECT_VALUES }),
  reply: jsonReply(ProjectPlan),
  async run(call, { body: { fingerprint, ...asked } }) {
    const done = await push(call, asked, true);
    const { changes, issues } = done;
    call.note({ resourceId: asked.project, metadata: { name: asked.project, changes: changes.length } });
    if (issues.length > 0)
      throw new Problem(
        'CONFLICT',
        'The project was not pushed.',
        issues.flatMap(({ kind, name, message, details }) => [
          { field: `${kind} ${name}`, message },
          ...details.map((detail) => ({ field: `${kind} ${name}: ${detail.field}`, message: detail.message })),
        ]),
      );
    if (fingerprint !== undefined && fingerprint !== done.fingerprint)
      throw conflict('The workspace has changed since the plan. Plan again.');
    return { ...done, changes: changes.map(({ before: _before, after: _after, ...change }) => change) };
  },
});

export const projects = [exported, plan, apply];
