import { describe, expect, it } from 'vitest';
import type { SocketServerMessage } from '@/contract/channel';
import type { ExecutionResponse } from '@/contract/execution';
import { applyRunMessage, indexNodeResults, pendingApprovalNodes } from './live';

const execution: ExecutionResponse = {
  id: 'exec_1',
  workflowId: 'wf_1',
  workflowVersion: 1,
  status: 'pending',
  trigger: 'manual',
  triggeredBy: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: null,
  rerunOf: null,
  parentExecutionId: null,
  untilNodeId: null,
  startNodeId: null,
  input: {},
  error: null,
  nodeResults: [],
};
const update = (status: string, nodeId?: string, at = '2026-01-01T00:00:01.000Z') =>
  ({ type: 'execution_update', executionId: 'exec_1', status, nodeId, timestamp: at }) as SocketServerMessage;
const after = (...messages: SocketServerMessage[]) => messages.reduce(applyRunMessage, execution);

describe('live updates of a run', () => {
  it('show a node running, then completed with output and both times', () => {
    const run = after(update('running'), update('running', 'a'), update('completed', 'a', '2026-01-01T00:00:03.000Z'), {
      type: 'node_completed',
      executionId: 'exec_1',
      nodeId: 'a',
      output: { ok: true },
    });
    expect(run.status).toBe('running');
    expect(indexNodeResults(run).get('a')).toMatchObject({
      status: 'completed',
      startedAt: '2026-01-01T00:00:01.000Z',
      completedAt: '2026-01-01T00:00:03.000Z',
      output: { ok: true },
    });
  });

  it('list pending approvals until the run ends', () => {
    const paused = after(update('paused', 'ask'), update('paused'));
    expect(pendingApprovalNodes(paused)).toEqual(['ask']);
    expect(pendingApprovalNodes({ ...paused, status: 'failed' })).toEqual([]);
  });

  it('end with status and output', () => {
    const run = after(update('completed'), {
      type: 'execution_completed',
      executionId: 'exec_1',
      status: 'completed',
      output: 7,
    });
    expect(run).toMatchObject({ status: 'completed', output: 7 });
  });

  it('keep a final state on a late message, and ignore other runs', () => {
    const over = after(update('failed'));
    expect(applyRunMessage(over, update('running')).status).toBe('failed');
    expect(applyRunMessage(over, { type: 'error', executionId: 'exec_2', message: 'no' })).toBe(over);
  });

  it('are idempotent', () => {
    const once = after(update('running', 'a'));
    expect(applyRunMessage(once, update('running', 'a', '2026-01-01T00:00:09.000Z'))).toEqual(once);
  });
});
