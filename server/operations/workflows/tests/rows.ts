import type { Expectations, Mocks, TestResult, WorkflowTest } from '@/contract/workflows/workflow-test';
import type { Prisma, WorkflowTest as Row } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { addJsonColumns } from '../../json-columns';
import { conflict, invalidField, notFound } from '@/server/errors/problem';

/** Characters of the JSON of each part of a test. */
const MAX_JSON = 1024 * 1024;

export const presentTest = (row: Row): WorkflowTest => ({
  id: row.id,
  workflowId: row.workflowId,
  name: row.name,
  input: row.input as WorkflowTest['input'],
  mocks: row.mocks as Mocks,
  expectations: row.expectations as Expectations,
  lastResult: row.lastResult as TestResult | null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  createdBy: row.createdBy,
});

const PARTS = { input: true, mocks: true, expectations: true, lastResult: true } as const;
const COLUMNS = { input: 'input', mocks: 'mocks', expectations: 'expectations', lastResult: 'last_result' };

/** Tests for an answer, which `where` finds: their parts are texts. */
export async function presentStoredTests(
  db: Db,
  find: Pick<Prisma.WorkflowTestFindManyArgs, 'where' | 'orderBy' | 'take' | 'skip'>,
): Promise<WorkflowTest[]> {
  const rows = await db.workflowTest.findMany({ ...find, omit: PARTS });
  const table = { table: 'workflow_test', columns: COLUMNS, key: 'id' };
  return (await addJsonColumns(db, rows, { ...table, keyOfRow: ({ id }) => id })).map(presentTest);
}

export async function findTest(db: Db, workspaceId: string, workflowId: string, id: string): Promise<Row> {
  const row = await db.workflowTest.findFirst({ where: { id, workflowId, workflow: { workspaceId } } });
  if (!row) throw notFound('The test');
  return row;
}

/** Throws 400 for a part that is too large to be stored. */
export function requireSmall(parts: Partial<Record<'input' | 'mocks' | 'expectations', unknown>>): void {
  for (const [field, value] of Object.entries(parts))
    if ((JSON.stringify(value) ?? '').length > MAX_JSON) throw invalidField(field, 'must have at most 1 MiB of JSON');
}

/** Throws 409 unless every test of the workflow has passed on a version. */
export async function requirePassedTests(db: Db, workflowId: string, version: number): Promise<void> {
  const tests = await db.workflowTest.findMany({ where: { workflowId }, select: { name: true, lastResult: true } });
  const missing = tests.filter(({ lastResult }) => {
    const result = lastResult as TestResult | null;
    return result?.status !== 'passed' || result.version !== version;
  });
  const [first] = missing;
  if (!first) return;
  const others = missing.length > 1 ? `, and ${missing.length - 1} more` : '';
  throw conflict(`Tests have not passed on version ${version}: “${first.name}”${others}. Run the tests, then publish.`);
}
