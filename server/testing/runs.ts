import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Execution } from '@/contract/execution';
import type { Definition } from '@/contract/workflow';
import { pool } from '../db/client';
import { newId } from '../db/ids';
import type { Kinds } from '../engine/graph';
import { readExecution } from '../engine/report';
import { submit } from '../engine/submit';
import { nodeKinds } from '../nodes';
import { done, nodeKind, type Outcome, type RunContext } from '../nodes/node';

/** Asks again and again until there is an answer, for at most `limitMs`. */
export async function until<T>(
  probe: () => Promise<T | undefined | null | false>,
  what: string,
  limitMs = 15_000,
): Promise<T> {
  for (const end = Date.now() + limitMs; ; await pause(10)) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
  }
}

export interface StoredWorkflow {
  workspaceId: string;
  workflowId: string;
}

/** A workflow with its first version, in a new workspace unless one is given. */
export async function storeWorkflow(definition: Definition, workspaceId = newId('ws')): Promise<StoredWorkflow> {
  const workflowId = newId('wf');
  await pool().query(
    `INSERT INTO workspace (id, name, slug, tier, updated_at) VALUES ($1, $1, $1, 'unlimited', now()) ON CONFLICT DO NOTHING`,
    [workspaceId],
  );
  await pool().query(
    `INSERT INTO workflow (id, workspace_id, name, description, status, definition, version) VALUES ($1, $2, $1, '', 'draft', $3, 1)`,
    [workflowId, workspaceId, JSON.stringify(definition)],
  );
  await pool().query(
    `INSERT INTO workflow_version (id, workflow_id, version, name, description, definition, message)
     VALUES ($1, $2, 1, $2, '', $3, '')`,
    [newId('wfv'), workflowId, JSON.stringify(definition)],
  );
  return { workspaceId, workflowId };
}

export interface StartedRun extends StoredWorkflow {
  executionId: string;
  read(): Promise<Execution>;
  /** The execution once it has one of these statuses. */
  reach(...statuses: Execution['status'][]): Promise<Execution>;
  /** The execution once it is final. */
  finish(): Promise<Execution>;
}

/** Asks for a run of a stored workflow. */
export async function startRun(workflow: StoredWorkflow, input: unknown = {}): Promise<StartedRun> {
  const { executionId } = await submit({ ...workflow, workflowVersion: 1, trigger: 'manual', input, createdBy: null });
  const read = async () => {
    const execution = await readExecution(workflow.workspaceId, executionId);
    if (!execution) throw new Error(`${executionId} is not there`);
    return execution;
  };
  const reach = (...statuses: Execution['status'][]) =>
    until(
      async () => {
        const execution = await read();
        return statuses.includes(execution.status) && execution;
      },
      `${executionId} to be ${statuses.join(' or ')}`,
    );
  return { ...workflow, executionId, read, reach, finish: () => reach('completed', 'failed') };
}

/** Stores a workflow and asks for a run of it. */
export const startRunOf = async (definition: Definition, input: unknown = {}): Promise<StartedRun> =>
  startRun(await storeWorkflow(definition), input);

export type Behaviour = (context: RunContext<Record<string, unknown>>) => Promise<unknown>;

/**
 * The real node types, and `call`: an outside node that does what the test says. What it returns is its output, or,
 * if it has a `kind`, its outcome. `visits` counts its runs by node.
 */
export function testKinds(behave: Behaviour): { kinds: Kinds; visits: Map<string, number> } {
  const visits = new Map<string, number>();
  const isOutcome = (value: unknown): value is Outcome =>
    typeof value === 'object' && value !== null && 'kind' in value;
  const call = nodeKind({
    type: 'call',
    title: 'Call',
    summary: 'Does what a test says.',
    category: 'action',
    config: z.looseObject({}),
    required: [],
    expressions: [],
    hasInput: true,
    outputs: ['output'],
    credentialTypes: [],
    isOutside: true,
    async run(context) {
      visits.set(context.nodeId, (visits.get(context.nodeId) ?? 0) + 1);
      const came = await behave(context);
      return isOutcome(came) ? came : done(came);
    },
  });
  return { kinds: new Map([...nodeKinds, call].map((kind) => [kind.type, kind])), visits };
}

/** A door that a fake node waits at: `opened` resolves once the test calls `open`. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
