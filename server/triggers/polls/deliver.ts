import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { isOverConcurrencyLimit } from '@/server/platform/db/failures/sql-state';
import { ApiProblem } from '@/server/platform/errors/problem';
import { findIssuesOfEach } from '@/server/evaluation/evaluator/evaluation';
import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { listInputSchemas } from '@/server/workflow/nodes/flow/start';
import { activationIssues } from '@/server/workflow/definition/readiness';
import { grantRunQuota, submitGrantedRuns } from '@/server/engine/queue/submit';
import type { RunRequest } from '@/server/engine/queue/submission';
import { hasTooManyFiles, MAX_FILES_PER_VALUE } from '@/server/engine/store/value';
import type { ClaimedPoll } from './claim';
import { rememberPolledKeys } from './remembered-keys';
import { PollFailure } from './source';

/** Limits of one transaction: the runs that it starts, and the characters of their inputs. */
const MAX_BATCH_RUNS = 500;
const MAX_BATCH_CHARACTERS = 4 * 1024 * 1024;
const BATCH_TRANSACTION_MS = 60_000;

const RUN_LIMIT_MESSAGE = 'The limit of concurrent runs is reached.';

/** Another process owns the poll, or the poll or its workflow was changed: nothing is committed. */
export class PollLostError extends Error {}

/** An item of a source that the poll has not seen yet. */
export interface NewPollItem {
  key: string;
  /** JSON */
  text: string;
  /** The position in the source's response. */
  index: number;
  /** Why the item starts no run. Absent: it starts one. */
  refused?: string;
}

/** The published version of the workflow whose runs are started. */
export interface PollTarget {
  version: number;
  definition: WorkflowDefinition;
}

/**
 * Returns the workflow of a poll. Throws PollFailure if its runs could not start, PollLostError if it is no longer
 * active.
 */
export async function requirePollTarget({ workflowId, workspaceId }: ClaimedPoll): Promise<PollTarget> {
  const select = { version: true, status: true, definition: true };
  const row = await prismaClient().workflow.findUnique({ where: { id: workflowId }, select });
  if (row?.status !== 'active') throw new PollLostError();
  const definition = row.definition as WorkflowDefinition;
  const [gap] = await activationIssues(prismaClient(), workspaceId, definition);
  if (gap) throw new PollFailure(`${gap.field}: ${gap.message}`);
  return { version: row.version, definition };
}

/** Marks the items that `inputSchema` refuses. */
async function markRefusedItems(
  items: NewPollItem[],
  { definition }: PollTarget,
  poll: ClaimedPoll,
  signal: AbortSignal,
): Promise<void> {
  const schemas = listInputSchemas(definition);
  const inputs = items.map(({ text }) => text);
  const issues = schemas.length === 0 ? [] : await findIssuesOfEach(schemas, inputs, { ...poll, signal });
  for (const [place, item] of items.entries()) {
    const issue = issues[place]?.[0];
    if (issue) item.refused = `items[${item.index}]: input${issue.field} ${issue.message}`;
    else if (hasTooManyFiles(item.text))
      item.refused = `items[${item.index}]: names more than ${MAX_FILES_PER_VALUE} files`;
  }
}

const toPolledRun = (poll: ClaimedPoll, { version }: PollTarget, inputJson: string): RunRequest => ({
  workspaceId: poll.workspaceId,
  workflowId: poll.workflowId,
  workflowVersion: version,
  trigger: 'poll',
  triggeredBy: { id: poll.id, name: poll.name },
  // Stored unchanged, without being parsed here.
  input: new LargeJsonText(inputJson),
  createdBy: null,
});

/**
 * Locks the poll until the transaction ends. Throws PollLostError unless this process owns it and its workflow is
 * active at this version. Locks the workflow first, in the same order as the deletion of a workflow, so that they
 * cannot deadlock.
 */
async function requirePollLease(
  db: DatabaseClient,
  { id, token, workflowId }: ClaimedPoll,
  { version }: PollTarget,
): Promise<void> {
  const workflows = await db.$queryRaw<unknown[]>`
    SELECT id FROM workflow WHERE id = ${workflowId} AND status = 'active' AND version = ${version}::int FOR SHARE`;
  const polls = await db.$queryRaw<unknown[]>`
    SELECT id FROM poll WHERE id = ${id} AND lease_token = ${token} AND enabled FOR NO KEY UPDATE`;
  if (workflows.length === 0 || polls.length === 0) throw new PollLostError();
}

/** Writes that are committed together with the runs. */
type FinishBatch = (db: DatabaseClient) => Promise<unknown>;

/** Returns the inputs of the runs for these items: one for each item, or one for all. */
function polledRunInputs({ deliver: mode }: ClaimedPoll, items: NewPollItem[]): string[] {
  if (mode === 'each') return items.map(({ text }) => text);
  return items.length === 0 ? [] : [`{"items":[${items.map(({ text }) => text).join()}]}`];
}

/** Starts the runs of these items, in the transaction that remembers their keys. */
const commitItemBatch = (
  poll: ClaimedPoll,
  target: PollTarget,
  items: NewPollItem[],
  also: FinishBatch,
): Promise<void> =>
  prismaClient().$transaction(
    async (db) => {
      await requirePollLease(db, poll, target);
      const keys = items.map(({ key }) => key);
      const fresh = await rememberPolledKeys(db, poll.id, keys);
      const wanted = items.filter(({ key, refused }) => fresh.has(key) && !refused);
      const runs = polledRunInputs(poll, wanted).map((input) => toPolledRun(poll, target, input));
      if (runs.length > 0) await submitGrantedRuns(runs, db);
      await also(db);
    },
    { timeout: BATCH_TRANSACTION_MS },
  );

/** Returns the first items, as many as the quota of runs permits. Throws the problem if the quota is used up. */
async function limitToRunQuota(
  { workspaceId, deliver: mode }: ClaimedPoll,
  items: NewPollItem[],
): Promise<NewPollItem[]> {
  const wanted = items.filter(({ refused }) => !refused).length;
  const runs = mode === 'each' ? wanted : Math.min(1, wanted);
  const granted = await grantRunQuota(workspaceId, runs);
  if (granted === runs) return items;
  let left = granted;
  return items.filter(({ refused }) => (refused ? left > 0 : (left -= 1) >= 0));
}

/** Returns the items from `from` on that fit into one transaction. */
function takeItemBatch(items: NewPollItem[], from: number, most: number): NewPollItem[] {
  let characters = 0;
  let end = from;
  for (; end < items.length && end - from < most; end += 1) {
    characters += items[end]?.text.length ?? 0;
    if (characters > MAX_BATCH_CHARACTERS && end > from) break;
  }
  return items.slice(from, end);
}

export interface NewItemDelivery {
  poll: ClaimedPoll;
  target: PollTarget;
  items: NewPollItem[];
  signal: AbortSignal;
  /** Committed together with the last runs. */
  finish(db: DatabaseClient, refused: string | null): Promise<boolean>;
  /** Called after each commit. */
  onStarted(): void;
}

/**
 * Starts the runs of new items, in batches: each is a transaction that also remembers its keys, so that a process that
 * dies leaves every item either started and remembered, or neither. The cursor moves with the last batch. Throws
 * PollFailure, PollLostError.
 */
export async function deliverNewItems({
  poll,
  target,
  items,
  signal,
  finish,
  onStarted,
}: NewItemDelivery): Promise<void> {
  let size = poll.deliver === 'each' ? MAX_BATCH_RUNS : items.length;
  let refused: string | null = null;
  for (let at = 0; at < items.length;) {
    signal.throwIfAborted();
    const checked = poll.deliver === 'each' ? takeItemBatch(items, at, size) : items;
    await markRefusedItems(checked, target, poll, signal);
    try {
      const batch = await limitToRunQuota(poll, checked);
      refused ??= batch.find((item) => item.refused)?.refused ?? null;
      const isLast = at + batch.length === items.length;
      await commitItemBatch(poll, target, batch, async (db) => {
        if (isLast && !(await finish(db, refused))) throw new PollLostError();
      });
      at += batch.length;
      onStarted();
    } catch (error) {
      size = smallerBatchSize(error, poll.deliver === 'each' ? checked.length : 1);
    }
  }
}

/** Returns the size of the next batch after a refused one. Throws PollFailure if not even one run may start. */
function smallerBatchSize(error: unknown, size: number): number {
  if (error instanceof ApiProblem) throw new PollFailure(error.message);
  if (!isOverConcurrencyLimit(error)) throw error;
  if (size === 1) throw new PollFailure(RUN_LIMIT_MESSAGE);
  return Math.floor(size / 2);
}
