import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { PageQuery } from '@/contract/text';
import {
  WorkflowTest,
  WorkflowTestCreate,
  WorkflowTestPage,
  WorkflowTestUpdate,
} from '@/contract/workflows/workflow-test';
import { isFinal } from '@/contract/states';
import type { Definition } from '@/contract/workflows/workflow';
import { Prisma } from '@/generated/prisma/client';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { visibleTo } from '@/server/access/filter';
import type { Caller } from '@/server/access/caller';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { conflict, invalidField, notFound } from '@/server/errors/problem';
import { requireBelowCap } from '@/server/quotas/caps';
import { findWorkflow } from '../content';
import { findRun } from '../../executions/read-run';
import { recordedExpectations, recordedMocks } from './record';
import { findTest, presentStoredTests, presentTest, requireSmall } from './rows';

/** JSON values of input, mocks and expectations. */
const MAX_VALUES = 50_000;

const tag = 'Workflow tests';
const OfWorkflow = z.strictObject({ id: z.string() });
const One = OfWorkflow.extend({ testId: z.string() });
const path = '/api/workflows/{id}/tests';

const json = (value: unknown) => value as Prisma.InputJsonValue;

const list = operation({
  id: 'workflowTests.list',
  method: 'GET',
  path,
  summary: 'List the tests of a workflow',
  description: 'Newest first, with their last results.',
  tag,
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: OfWorkflow,
  query: PageQuery,
  reply: jsonReply(WorkflowTestPage),
  async run({ db, caller: { workspaceId } }, { params: { id }, query: { limit, offset } }) {
    await findWorkflow(db, workspaceId, id);
    const where = { workflowId: id };
    const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
    const [data, total] = await Promise.all([
      presentStoredTests(db, { where, orderBy, take: limit, skip: offset }),
      db.workflowTest.count({ where }),
    ]);
    return { data, total, limit, offset };
  },
});

/** The parts of a test that repeats a run. Throws 400 for a run of another workflow, and 409 for one that has not ended. */
async function recorded(db: Db, caller: Caller, workflowId: string, executionId: string) {
  const where = {
    AND: [{ id: executionId, workspaceId: caller.workspaceId, workflowId }, visibleTo(caller, 'execution')],
  };
  const row = await db.execution.findFirst({
    where,
    select: { status: true, dataRemovedAt: true, workflowVersion: true },
  });
  if (!row) throw invalidField('fromExecutionId', 'is not a run of this workflow');
  if (!isFinal(row.status)) throw conflict('The execution has not ended yet.');
  if (row.dataRemovedAt) throw conflict('The data of the execution was removed.');
  const execution = await findRun(caller, executionId);
  const version = await db.workflowVersion.findUnique({
    where: { workflowId_version: { workflowId, version: row.workflowVersion } },
  });
  if (!execution || !version) throw invalidField('fromExecutionId', 'is not a run of this workflow');
  const mocks = recordedMocks(version.definition as Definition, execution);
  const input = typeof execution.input === 'object' && execution.input !== null ? execution.input : {};
  return { input: input as WorkflowTest['input'], mocks, expectations: recordedExpectations(execution) };
}

const create = operation({
  id: 'workflowTests.create',
  method: 'POST',
  path,
  summary: 'Create a test of a workflow',
  description:
    'A test runs the workflow with an input. Nodes that act outside do not run: they give what `mocks` say, and fail with ' +
    'NOT_MOCKED if it says nothing; delays are over at once. Then the run is compared with `expectations`. With ' +
    '`fromExecutionId` a run is recorded as a test, which needs `execution:read`.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: OfWorkflow,
  body: jsonBody(WorkflowTestCreate, { maxBytes: 4 * 1024 * 1024, maxValues: MAX_VALUES }),
  reply: jsonReply(WorkflowTest, { status: 201, location: '/api/workflows/{workflowId}/tests/{id}' }),
  async run({ db, caller, note }, { params: { id }, body: { name, fromExecutionId, ...given } }) {
    await findWorkflow(db, caller.workspaceId, id);
    await requireBelowCap(db, 'tests', id);
    const run = fromExecutionId === undefined ? undefined : await recorded(db, caller, id, fromExecutionId);
    const content = {
      input: given.input ?? run?.input ?? {},
      mocks: { ...run?.mocks, ...given.mocks },
      expectations: given.expectations ?? run?.expectations ?? { status: 'completed', nodes: {} },
    };
    requireSmall(content);
    const testId = newId('wft');
    note({ resourceId: id, metadata: { test: testId, name } });
    const row = await db.workflowTest.create({
      data: {
        id: testId,
        workflowId: id,
        name,
        input: json(content.input),
        mocks: json(content.mocks),
        expectations: json(content.expectations),
        createdBy: caller.userId,
      },
    });
    return presentTest(row);
  },
});

const get = operation({
  id: 'workflowTests.get',
  method: 'GET',
  path: `${path}/{testId}`,
  summary: 'Read a test',
  tag,
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: One,
  reply: jsonReply(WorkflowTest),
  async run({ db, caller: { workspaceId } }, { params: { id, testId } }) {
    const where = { id: testId, workflowId: id, workflow: { workspaceId } };
    const [test] = await presentStoredTests(db, { where });
    if (!test) throw notFound('The test');
    return test;
  },
});

const update = operation({
  id: 'workflowTests.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: `${path}/{testId}`,
  summary: 'Change a test',
  description: 'Fields that are left out stay as they are. A change removes the last result.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: One,
  body: jsonBody(WorkflowTestUpdate, { maxBytes: 4 * 1024 * 1024, maxValues: MAX_VALUES }),
  reply: jsonReply(WorkflowTest),
  async run({ db, caller, note }, { params: { id, testId }, body: { name, ...parts } }) {
    const before = presentTest(await findTest(db, caller.workspaceId, id, testId));
    requireSmall(parts);
    note({ resourceId: id, metadata: { test: testId, changed: Object.keys(parts) } });
    const { input = before.input, mocks = before.mocks, expectations = before.expectations } = parts;
    const content = { input, mocks, expectations };
    const isSame = isDeepStrictEqual(content, {
      input: before.input,
      mocks: before.mocks,
      expectations: before.expectations,
    });
    const row = await db.workflowTest.update({
      where: { id: testId },
      data: {
        name,
        input: json(input),
        mocks: json(mocks),
        expectations: json(expectations),
        ...(isSame ? {} : { lastResult: Prisma.DbNull }),
        updatedAt: new Date(),
      },
    });
    return presentTest(row);
  },
});

const remove = operation({
  id: 'workflowTests.delete',
  method: 'DELETE',
  path: `${path}/{testId}`,
  summary: 'Delete a test',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: One,
  async run({ db, caller, note }, { params: { id, testId } }) {
    const { name } = await findTest(db, caller.workspaceId, id, testId);
    note({ resourceId: id, metadata: { test: testId, name } });
    await db.workflowTest.delete({ where: { id: testId } });
  },
});

export const workflowTests = [list, create, get, update, remove];

export { list as listTests, create as createTest, update as updateTest, remove as deleteTest };
