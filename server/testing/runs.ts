import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import type { NodeTypeRegistry } from '@/server/workflow/definition/graph';
import { readExecutionReport } from '@/server/engine/report/report';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import { reserveLocalSlot } from '@/server/engine/queue/admission/local-admission';
import { toUnstoredRun } from '@/server/engine/queue/submission';
import { submitRun } from '@/server/engine/queue/submit';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import {
  completeNode,
  defineNodeType,
  type NodeRunResult,
  type NodeRunContext,
} from '@/server/workflow/nodes/node-type';

/** Longest pause between two looks of `until`, in milliseconds. */
const MAX_PAUSE_MS = 50;

/**
 * Polls until `probe` returns a truthy value, less often the longer it takes; throws after `limitMs`, which is for what
 * hangs.
 */
export async function until<T>(
  probe: () => Promise<T | undefined | null | false>,
  what: string,
  limitMs = 45_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > end) throw new Error(`Timed out waiting for ${what}`);
    await pause(pauseMs);
  }
}

export interface StoredWorkflow {
  workspaceId: string;
  workflowId: string;
}

const NEW_WORKFLOW = `
  WITH owner AS (
    INSERT INTO workspace (id, name, slug, tier, updated_at) VALUES ($1, $1, $1, 'unlimited', now()) ON CONFLICT DO NOTHING
  ), stored AS (
    INSERT INTO workflow (id, workspace_id, name, description, status, definition, version) VALUES ($2, $1, $2, '', 'draft', $3, 1)
  )
  INSERT INTO workflow_version (id, workflow_id, version, name, description, definition, message)
  VALUES ($4, $2, 1, $2, '', $3, '')`;

/** A workflow with its first version, in a new workspace unless one is given. */
export async function storeWorkflow(
  definition: WorkflowDefinition,
  workspaceId = generateId('ws'),
): Promise<StoredWorkflow> {
  const workflowId = generateId('wf');
  const values = [workspaceId, workflowId, JSON.stringify(definition), generateId('wfv')];
  await databasePool().query({ name: 'test-stored-workflow', text: NEW_WORKFLOW, values });
  return { workspaceId, workflowId };
}

/** Stores workspaces with one run each that is due in an hour. */
export async function storeWaitingRuns(count: number): Promise<void> {
  await databasePool().query(
    `WITH owner AS (INSERT INTO workspace (id, name, slug, tier, updated_at) SELECT id, id, id, 'unlimited', now() FROM unnest($1::text[]) id),
       flow AS (INSERT INTO workflow (id, workspace_id, name, description, status, definition, version)
         SELECT 'wf_' || id, id, id, '', 'draft', '{"nodes":[],"connections":[]}', 1 FROM unnest($1::text[]) id)
     INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, available_at)
     SELECT 'exec_' || id, id, 'wf_' || id, 1, 'running', 'manual', '{}', now() + interval '1 hour' FROM unnest($1::text[]) id`,
    [Array.from({ length: count }, (_, n) => `ws_${String(n).padStart(4, '0')}`)],
  );
}

export interface StartedRun extends StoredWorkflow {
  executionId: string;
  read(): Promise<ExecutionResponse>;
  /** Resolves with the execution once it has one of these statuses. */
  reach(...statuses: ExecutionResponse['status'][]): Promise<ExecutionResponse>;
  /** Resolves with the execution once it is final. */
  finish(): Promise<ExecutionResponse>;
}

/** A report with its large values parsed, as clients receive it. */
export const parsed = <Value>(report: Value): Value => JSON.parse(serializeJson(report) ?? 'null') as Value;

/** Starts a run of a stored workflow. */
export async function startRun(workflow: StoredWorkflow, input: unknown = {}): Promise<StartedRun> {
  const { executionId } = await submitRun({
    ...workflow,
    workflowVersion: 1,
    trigger: 'manual',
    input,
    createdBy: null,
  });
  const read = async () => {
    const execution = await readExecutionReport(workflow.workspaceId, executionId);
    if (!execution) throw new Error(`${executionId} is not there`);
    return parsed(execution);
  };
  const reach = (...statuses: ExecutionResponse['status'][]) =>
    until(
      async () => {
        // The whole execution may have megabytes of results.
        if (!(await hasStatus(executionId, statuses))) return false;
        const execution = await read();
        return statuses.includes(execution.status) && execution;
      },
      `${executionId} to be ${statuses.join(' or ')}`,
    );
  return { ...workflow, executionId, read, reach, finish: () => reach('completed', 'failed') };
}

async function hasStatus(executionId: string, statuses: string[]): Promise<boolean> {
  const text = 'SELECT FROM execution WHERE id = $1 AND status = ANY ($2)';
  const { rowCount } = await databasePool().query({ name: 'test-status', text, values: [executionId, statuses] });
  return rowCount === 1;
}

/** Stores a workflow and starts a run of it. */
export const startRunOf = async (definition: WorkflowDefinition, input: unknown = {}): Promise<StartedRun> =>
  startRun(await storeWorkflow(definition), input);

/**
 * Resolves when a worker of this process would start runs of the workflow speculatively: it has a free slot, its queue
 * is empty, and it has run the version before.
 */
export async function waitForSlot(workflow: StoredWorkflow): Promise<void> {
  await until(async () => hasFreeSlot(workflow), 'a worker that starts runs speculatively');
}

/** Whether a worker offers a slot; the reservation is released at once. */
export function hasFreeSlot(workflow: StoredWorkflow): boolean {
  const run = { ...workflow, workflowVersion: 1, trigger: 'manual', input: null, createdBy: null } as const;
  const reservation = reserveLocalSlot(toUnstoredRun('exec_probe', run, 'null'));
  reservation?.confirm(false);
  return reservation !== undefined;
}

export type Behaviour = (context: NodeRunContext<Record<string, unknown>>) => Promise<unknown>;

/**
 * The real node types, and `call`: an outside node with the given behaviour. The returned value is its output, or its
 * outcome if it has a `kind`. `attempts` counts its attempts by node.
 */
export function testKinds(behave: Behaviour): { kinds: NodeTypeRegistry; attempts: Map<string, number> } {
  const attempts = new Map<string, number>();
  const isOutcome = (value: unknown): value is NodeRunResult =>
    typeof value === 'object' && value !== null && 'kind' in value;
  const call = defineNodeType({
    type: 'call',
    title: 'Call',
    summary: 'Calls a function of the test.',
    category: 'action',
    config: z.looseObject({}),
    hasInput: true,
    outputs: ['output'],
    credentialTypes: [],
    isOutside: true,
    async run(context) {
      attempts.set(context.nodeId, (attempts.get(context.nodeId) ?? 0) + 1);
      const result = await behave(context);
      return isOutcome(result) ? result : completeNode(result);
    },
  });
  return { kinds: new Map([...nodeTypeDefinitions, call].map((kind) => [kind.type, kind])), attempts };
}

/** A gate for fake nodes: `opened` resolves once the test calls `open`. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
