import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { PaginationQuery } from '@/contract/text';
import {
  WorkflowTestResponse,
  CreateTestRequest,
  ListWorkflowTestsResponse,
  UpdateTestRequest,
} from '@/contract/workflows/workflow-test';
import { isFinalStatus } from '@/contract/states';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { Prisma } from '@/generated/prisma/client';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { visibleRowsFilter } from '@/server/people/access/filter';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { conflictProblem, invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import { findWorkflow } from '../workflow-rows';
import { findVisibleRun } from '../../executions/read-run';
import { recordExpectations, recordMocks } from './record';
import { findTestRow, presentStoredTests, toTestResponse, requireTestSize } from './test-rows';

/** JSON values of input, mocks and expectations. */
const MAX_TEST_VALUES = 50_000;

const TEST_TAG = 'Workflow tests';
const TestCollectionParams = z.strictObject({ id: z.string() });
const TestParams = TestCollectionParams.extend({ testId: z.string() });
const TESTS_PATH = '/api/workflows/{id}/tests';

const toTestJson = (value: unknown) => value as Prisma.InputJsonValue;

const listTestsOperation = defineOperation({
  id: 'workflowTests.list',
  method: 'GET',
  path: TESTS_PATH,
  summary: 'List the tests of a workflow',
  description: 'Newest first, with their last results.',
  tag: TEST_TAG,
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: TestCollectionParams,
  query: PaginationQuery,
  reply: jsonReply(ListWorkflowTestsResponse),
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

/**
 * The parts of a test that repeats a run. Throws 400 for a run of another workflow, and 409 for one that has not ended.
 */
async function recordTestFromRun(db: DatabaseClient, caller: WorkspaceCaller, workflowId: string, executionId: string) {
  const where = {
    AND: [{ id: executionId, workspaceId: caller.workspaceId, workflowId }, visibleRowsFilter(caller, 'execution')],
  };
  const row = await db.execution.findFirst({
    where,
    select: { status: true, dataRemovedAt: true, workflowVersion: true },
  });
  if (!row) throw invalidFieldProblem('fromExecutionId', 'is not a run of this workflow');
  if (!isFinalStatus(row.status)) throw conflictProblem('The execution has not ended yet.');
  if (row.dataRemovedAt) throw conflictProblem('The data of the execution was removed.');
  const execution = await findVisibleRun(caller, executionId);
  const version = await db.workflowVersion.findUnique({
    where: { workflowId_version: { workflowId, version: row.workflowVersion } },
  });
  if (!execution || !version) throw invalidFieldProblem('fromExecutionId', 'is not a run of this workflow');
  const mocks = recordMocks(version.definition as WorkflowDefinition, execution);
  const input = typeof execution.input === 'object' && execution.input !== null ? execution.input : {};
  return { input: input as WorkflowTestResponse['input'], mocks, expectations: recordExpectations(execution) };
}

const createTestOperation = defineOperation({
  id: 'workflowTests.create',
  method: 'POST',
  path: TESTS_PATH,
  summary: 'Create a test of a workflow',
  description:
    'A test runs the workflow with an input. Nodes that act outside do not run: they give what `mocks` say, and fail with ' +
    'NOT_MOCKED if it says nothing; delays are over at once. Then the run is compared with `expectations`. With ' +
    '`fromExecutionId` a run is recorded as a test, which needs `execution:read`.',
  tag: TEST_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: TestCollectionParams,
  body: jsonBody(CreateTestRequest, { maxBytes: 4 * 1024 * 1024, maxValues: MAX_TEST_VALUES }),
  reply: jsonReply(WorkflowTestResponse, { status: 201, location: '/api/workflows/{workflowId}/tests/{id}' }),
  async run({ db, caller, note }, { params: { id }, body: { name, fromExecutionId, ...given } }) {
    await findWorkflow(db, caller.workspaceId, id);
    await requireBelowCap(db, 'tests', id);
    const run = fromExecutionId === undefined ? undefined : await recordTestFromRun(db, caller, id, fromExecutionId);
    const content = {
      input: given.input ?? run?.input ?? {},
      mocks: { ...run?.mocks, ...given.mocks },
      expectations: given.expectations ?? run?.expectations ?? { status: 'completed', nodes: {} },
    };
    requireTestSize(content);
    const testId = generateId('wft');
    note({ resourceId: id, metadata: { test: testId, name } });
    const row = await db.workflowTest.create({
      data: {
        id: testId,
        workflowId: id,
        name,
        input: toTestJson(content.input),
        mocks: toTestJson(content.mocks),
        expectations: toTestJson(content.expectations),
        createdBy: caller.userId,
      },
    });
    return toTestResponse(row);
  },
});

const getTestOperation = defineOperation({
  id: 'workflowTests.get',
  method: 'GET',
  path: `${TESTS_PATH}/{testId}`,
  summary: 'Read a test',
  tag: TEST_TAG,
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: TestParams,
  reply: jsonReply(WorkflowTestResponse),
  async run({ db, caller: { workspaceId } }, { params: { id, testId } }) {
    const where = { id: testId, workflowId: id, workflow: { workspaceId } };
    const [test] = await presentStoredTests(db, { where });
    if (!test) throw notFoundProblem('The test');
    return test;
  },
});

const updateTestOperation = defineOperation({
  id: 'workflowTests.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: `${TESTS_PATH}/{testId}`,
  summary: 'Change a test',
  description: 'Fields that are left out stay as they are. A change removes the last result.',
  tag: TEST_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: TestParams,
  body: jsonBody(UpdateTestRequest, { maxBytes: 4 * 1024 * 1024, maxValues: MAX_TEST_VALUES }),
  reply: jsonReply(WorkflowTestResponse),
  async run({ db, caller, note }, { params: { id, testId }, body: { name, ...parts } }) {
    const before = toTestResponse(await findTestRow(db, caller.workspaceId, id, testId));
    requireTestSize(parts);
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
        input: toTestJson(input),
        mocks: toTestJson(mocks),
        expectations: toTestJson(expectations),
        ...(isSame ? {} : { lastResult: Prisma.DbNull }),
        updatedAt: new Date(),
      },
    });
    return toTestResponse(row);
  },
});

const deleteTestOperation = defineOperation({
  id: 'workflowTests.delete',
  method: 'DELETE',
  path: `${TESTS_PATH}/{testId}`,
  summary: 'Delete a test',
  tag: TEST_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: TestParams,
  async run({ db, caller, note }, { params: { id, testId } }) {
    const { name } = await findTestRow(db, caller.workspaceId, id, testId);
    note({ resourceId: id, metadata: { test: testId, name } });
    await db.workflowTest.delete({ where: { id: testId } });
  },
});

export const testOperations = [
  listTestsOperation,
  createTestOperation,
  getTestOperation,
  updateTestOperation,
  deleteTestOperation,
];

export { listTestsOperation, createTestOperation, updateTestOperation, deleteTestOperation };
