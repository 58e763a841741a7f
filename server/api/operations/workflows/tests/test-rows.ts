import type {
  TestExpectations,
  NodeMocks,
  WorkflowTestResult,
  WorkflowTestResponse,
} from '@/contract/workflows/workflow-test';
import type { Prisma, WorkflowTest as Row } from '@/generated/prisma/client';
import type { DatabaseClient } from '@/server/platform/db/client';
import { addJsonColumns, parseJsonColumns } from '../../json-columns';
import { conflictProblem, invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';

/** Characters of the JSON of each part of a test. */
const MAX_TEST_JSON_LENGTH = 1024 * 1024;

export const toTestResponse = (row: Row): WorkflowTestResponse => ({
  id: row.id,
  workflowId: row.workflowId,
  name: row.name,
  input: row.input as WorkflowTestResponse['input'],
  mocks: row.mocks as NodeMocks,
  expectations: row.expectations as TestExpectations,
  lastResult: row.lastResult as WorkflowTestResult | null,
  startNodeId: row.startNodeId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  createdBy: row.createdBy,
});

const PARTS = { input: true, mocks: true, expectations: true, lastResult: true } as const;
const COLUMNS = { input: 'input', mocks: 'mocks', expectations: 'expectations', lastResult: 'last_result' };

/** Tests for an answer, which `where` finds: their parts are texts. */
export async function presentStoredTests(
  db: DatabaseClient,
  find: Pick<Prisma.WorkflowTestFindManyArgs, 'where' | 'orderBy' | 'take' | 'skip'>,
): Promise<WorkflowTestResponse[]> {
  const rows = await db.workflowTest.findMany({ ...find, omit: PARTS });
  return (await addTestParts(db, rows)).map(toTestResponse);
}

const addTestParts = (db: DatabaseClient, rows: Omit<Row, keyof typeof PARTS>[]): Promise<Row[]> =>
  addJsonColumns(db, rows, { table: 'workflow_test', columns: COLUMNS, key: 'id', keyOfRow: ({ id }) => id });

/** A test with its parts, which are parsed in turns with other work. Throws a 404. */
export async function findTestRow(
  db: DatabaseClient,
  workspaceId: string,
  workflowId: string,
  id: string,
): Promise<Row> {
  const where = { id, workflowId, workflow: { workspaceId } };
  const [row] = await addTestParts(db, await db.workflowTest.findMany({ where, omit: PARTS }));
  if (!row) throw notFoundProblem('The test');
  return parseJsonColumns(row);
}

/** Throws 400 for a part that is too large to be stored. */
export function requireTestSize(parts: Partial<Record<'input' | 'mocks' | 'expectations', unknown>>): void {
  for (const [field, value] of Object.entries(parts))
    if ((JSON.stringify(value) ?? '').length > MAX_TEST_JSON_LENGTH)
      throw invalidFieldProblem(field, 'must have at most 1 MiB of JSON');
}

/** Throws 409 unless every test of the workflow has passed on a version. */
export async function requirePassedTests(db: DatabaseClient, workflowId: string, version: number): Promise<void> {
  const tests = await db.workflowTest.findMany({ where: { workflowId }, select: { name: true, lastResult: true } });
  const missing = tests.filter(({ lastResult }) => {
    const result = lastResult as WorkflowTestResult | null;
    return result?.status !== 'passed' || result.version !== version;
  });
  const [first] = missing;
  if (!first) return;
  const others = missing.length > 1 ? `, and ${missing.length - 1} more` : '';
  throw conflictProblem(
    `Tests have not passed on version ${version}: “${first.name}”${others}. Run the tests, then publish.`,
  );
}
