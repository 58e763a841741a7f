import { describe, expect, it } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, storeWorkflow } from '@/server/testing/runs';
import type { RunRequest } from './submission';
import { submitRun } from './submit';
import type { AuditRow } from '@/server/people/audit/entry';

useDatabase();

const definition = flow({ s: { type: 'start' } });

const entry = (workspaceId: string): AuditRow => ({
  id: generateId('aud'),
  workspaceId,
  category: 'resource_access',
  action: 'workflows.execute',
  result: 'success',
  actor: { type: 'user', id: 'usr_x' },
  resource: { type: 'workflow', id: null },
  metadata: {},
});

async function newRun(input: unknown = {}): Promise<RunRequest> {
  const stored = await storeWorkflow(definition);
  return { ...stored, workflowVersion: 1, trigger: 'manual', input, createdBy: 'usr_x' };
}

describe('submit', () => {
  it('stores a run and its audit entry before it resolves', async () => {
    const run = await newRun({ a: 1 });
    const { executionId, startedAt } = await submitRun(run, { audit: entry(run.workspaceId) });
    const row = await prismaClient().execution.findUniqueOrThrow({ where: { id: executionId } });
    expect(row).toMatchObject({
      status: 'pending',
      input: { a: 1 },
      createdBy: 'usr_x',
      trigger: 'manual',
      workerId: null,
    });
    expect(row.startedAt.toISOString()).toBe(startedAt);
    expect(await prismaClient().auditEntry.count({ where: { workspaceId: run.workspaceId } })).toBe(1);
  });

  it('stores inputs unchanged, including NUL, half surrogates, null and deep nesting', async () => {
    const inputs = [
      'text',
      null,
      [],
      1e300,
      { 'a\u0000b': '\ud800"\\{}' },
      JSON.parse(`${'['.repeat(900)}1${']'.repeat(900)}`),
    ];
    const workflow = await storeWorkflow(definition);
    for (const input of inputs) {
      const { input: kept } = await (await startRun(workflow, input)).read();
      expect(JSON.stringify(kept)).toBe(JSON.stringify(input));
    }
  });

  it('stores many runs at once; a run of a deleted workflow fails alone', async () => {
    const run = await newRun();
    const gone = { ...run, workflowId: 'wf_gone' };
    const settled = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => submitRun(index === 17 ? gone : run, { audit: entry(run.workspaceId) })),
    );
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(await prismaClient().execution.count({ where: { workflowId: run.workflowId } })).toBe(59);
    expect(await prismaClient().auditEntry.count({ where: { workspaceId: run.workspaceId } })).toBe(59);
  });

  it('is part of a given transaction', async () => {
    const run = await newRun({ 'a\u0000': [null] });
    const attempt = prismaClient().$transaction(async (db) => {
      await submitRun(run, { db, audit: entry(run.workspaceId) });
      throw new Error('changed my mind');
    });
    await expect(attempt).rejects.toThrow('changed my mind');
    expect(await prismaClient().execution.count({ where: { workflowId: run.workflowId } })).toBe(0);
    const { executionId } = await prismaClient().$transaction((db) =>
      submitRun(run, { db, audit: entry(run.workspaceId) }),
    );
    expect((await prismaClient().execution.findUniqueOrThrow({ where: { id: executionId } })).input).toEqual(run.input);
    expect(await prismaClient().auditEntry.count({ where: { workspaceId: run.workspaceId } })).toBe(1);
  });
});
