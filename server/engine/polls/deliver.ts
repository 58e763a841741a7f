import type { Definition } from '@/contract/workflows/workflow';
import { prisma, type Db } from '@/server/db/client';
import { isOverLimit } from '@/server/db/failures/sql-state';
import { Problem } from '@/server/errors/problem';
import { matchEach } from '@/server/evaluation/evaluation';
import { LargeJson } from '@/server/expressions/large-json';
import { inputSchemas } from '@/server/nodes/flow/start';
import { gapsOf } from '@/server/workflow/readiness';
import { grantRuns, submitAll } from '../queue/submit';
import type { NewRun } from '../queue/submission';
import { hasTooManyFiles, MAX_FILES } from '../store/value';
import type { ClaimedPoll } from './claim';
import { rememberKeys } from './seen';
import { PollFailure } from './source';

/** Most runs, and characters of their inputs, that one transaction starts. */
const BATCH = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
const TRANSACTION_MS = 60_000;

const FULL = 'The limit of concurrent runs is reached.';

/** Another process has the poll, or it or its workflow was changed: nothing is committed. */
export class PollLost extends Error {}

/** A new item. */
export interface NewItem {
  key: string;
  /** JSON */
  text: string;
  /** The position in the answer. */
  index: number;
  /** Why it starts no run. */
  refused?: string;
}

/** The published version of the workflow that the runs are started of. */
export interface Target {
  version: number;
  definition: Definition;
}

/** The workflow of a poll. Throws PollFailure if its runs could not start, PollLost if it is not active any more. */
export async function targetOf({ workflowId, workspaceId }: ClaimedPoll): Promise<Target> {
  const select = { version: true, status: true, definition: true };
  const row = await prisma().workflow.findUnique({ where: { id: workflowId }, select });
  if (row?.status !== 'active') throw new PollLost();
  const definition = row.definition as Definition;
  const [gap] = await gapsOf(prisma(), workspaceId, definition);
  if (gap) throw new PollFailure(`${gap.field}: ${gap.message}`);
  return { version: row.version, definition };
}

/** Marks the items that `inputSchema` refuses. */
async function check(items: NewItem[], { definition }: Target, poll: ClaimedPoll, signal: AbortSignal): Promise<void> {
  const schemas = inputSchemas(definition);
  const inputs = items.map(({ text }) => text);
  const issues = schemas.length === 0 ? [] : await matchEach(schemas, inputs, { ...poll, signal });
  for (const [place, item] of items.entries()) {
    const issue = issues[place]?.[0];
    if (issue) item.refused = `items[${item.index}]: input${issue.field} ${issue.message}`;
    else if (hasTooManyFiles(item.text)) item.refused = `items[${item.index}]: names more than ${MAX_FILES} files`;
  }
}

const runOf = (poll: ClaimedPoll, { version }: Target, inputJson: string): NewRun => ({
  workspaceId: poll.workspaceId,
  workflowId: poll.workflowId,
  workflowVersion: version,
  trigger: 'poll',
  triggeredBy: { id: poll.id, name: poll.name },
  // Written as it is: it is not parsed here.
  input: new LargeJson(inputJson),
  createdBy: null,
});

/**
 * Locks the poll until the transaction ends. Throws PollLost unless this process has it, and its workflow is active at
 * this version. The workflow comes first, as where a workflow is deleted.
 */
async function requireLease(db: Db, { id, token, workflowId }: ClaimedPoll, { version }: Target): Promise<void> {
  const workflows = await db.$queryRaw<unknown[]>`
    SELECT id FROM workflow WHERE id = ${workflowId} AND status = 'active' AND version = ${version}::int FOR SHARE`;
  const polls = await db.$queryRaw<unknown[]>`
    SELECT id FROM poll WHERE id = ${id} AND lease_token = ${token} AND enabled FOR NO KEY UPDATE`;
  if (workflows.length === 0 || polls.length === 0) throw new PollLost();
}

/** What is committed together with the runs. */
type Also = (db: Db) => Promise<unknown>;

/** The inputs of the runs for these items: one for each, or one for all. */
function inputsOf({ deliver: mode }: ClaimedPoll, items: NewItem[]): string[] {
  if (mode === 'each') return items.map(({ text }) => text);
  return items.length === 0 ? [] : [`{"items":[${items.map(({ text }) => text).join()}]}`];
}

/** Starts the runs of these items, in the transaction that remembers their keys. */
const commit = (poll: ClaimedPoll, target: Target, items: NewItem[], also: Also): Promise<void> =>
  prisma().$transaction(
    async (db) => {
      await requireLease(db, poll, target);
      const keys = items.map(({ key }) => key);
      const fresh = await rememberKeys(db, poll.id, keys);
      const wanted = items.filter(({ key, refused }) => fresh.has(key) && !refused);
      const runs = inputsOf(poll, wanted).map((input) => runOf(poll, target, input));
      if (runs.length > 0) await submitAll(runs, db);
      await also(db);
    },
    { timeout: TRANSACTION_MS },
  );

/** The first items, as far as the quota of runs reaches. Throws the Problem if it is used up. */
async function withinQuota({ workspaceId, deliver: mode }: ClaimedPoll, items: NewItem[]): Promise<NewItem[]> {
  const wanted = items.filter(({ refused }) => !refused).length;
  const runs = mode === 'each' ? wanted : Math.min(1, wanted);
  const granted = await grantRuns(workspaceId, runs);
  if (granted === runs) return items;
  let left = granted;
  return items.filter(({ refused }) => (refused ? left > 0 : (left -= 1) >= 0));
}

/** The first items, as many as fit into one transaction. */
function firstOf(items: NewItem[], from: number, most: number): NewItem[] {
  let characters = 0;
  let end = from;
  for (; end < items.length && end - from < most; end += 1) {
    characters += items[end]?.text.length ?? 0;
    if (characters > BATCH_CHARACTERS && end > from) break;
  }
  return items.slice(from, end);
}

export interface Delivery {
  poll: ClaimedPoll;
  target: Target;
  items: NewItem[];
  signal: AbortSignal;
  /** Committed together with the last runs. */
  finish(db: Db, refused: string | null): Promise<boolean>;
  /** Called after each commit. */
  onStarted(): void;
}

/**
 * Starts the runs of new items, in batches: each is a transaction that also remembers its keys, so that a process that
 * dies leaves every item either started and remembered, or neither. The cursor moves with the last batch. Throws
 * PollFailure, PollLost.
 */
export async function deliver({ poll, target, items, signal, finish, onStarted }: Delivery): Promise<void> {
  let size = poll.deliver === 'each' ? BATCH : items.length;
  let refused: string | null = null;
  for (let at = 0; at < items.length;) {
    signal.throwIfAborted();
    const checked = poll.deliver === 'each' ? firstOf(items, at, size) : items;
    await check(checked, target, poll, signal);
    try {
      const batch = await withinQuota(poll, checked);
      refused ??= batch.find((item) => item.refused)?.refused ?? null;
      const isLast = at + batch.length === items.length;
      await commit(poll, target, batch, async (db) => {
        if (isLast && !(await finish(db, refused))) throw new PollLost();
      });
      at += batch.length;
      onStarted();
    } catch (error) {
      size = smaller(error, poll.deliver === 'each' ? checked.length : 1);
    }
  }
}

/** The size of the next batch after one was refused. Throws PollFailure if not even one run may start. */
function smaller(error: unknown, size: number): number {
  if (error instanceof Problem) throw new PollFailure(error.message);
  if (!isOverLimit(error)) throw error;
  if (size === 1) throw new PollFailure(FULL);
  return Math.floor(size / 2);
}
