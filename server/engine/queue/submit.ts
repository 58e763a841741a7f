import type { Transaction } from '@/server/db/within';
import { newOrderedId } from '@/server/db/ids';
import type { WaitingCaller } from '../answers/waiting-caller';
import { enqueue, enqueueAllWithin, enqueueWithin, type Enqueued } from './enqueue';
import { reserveSlot, type SlotReservation } from './admission/local-admission';
import { takeRunQuota } from './admission/run-quota';
import { jsonOf } from '@/server/expressions/large-json';
import { invalidField, Problem } from '@/server/errors/problem';
import { FILES_PIECE, hasTooManyFiles, hasTooManyFilesInPieces, MAX_FILES } from '../store/value';
import { inMaintenance, maintenance } from '@/server/maintenance';
import { runtime } from '@/server/runtime';
import { holdDelivery } from './held-deliveries';
import { newRun, type NewDelivery, type NewRun, type Submission, type Submitted } from './submission';
import type { AuditRow } from '@/server/audit/entry';

/** Options of a submission; everything is stored atomically with the run. */
export interface SubmitOptions {
  /** A transaction to store the run in. */
  db?: Transaction;
  audit?: AuditRow;
  /** Who waits for the run. */
  caller?: WaitingCaller;
}

/** How long a run is kept back for its first step when a caller waits for it, in milliseconds. */
const FIRST_STEP_MS = 4;

/** Waits for the first step for a short time. Stored together with the run, it costs one transaction instead of two. */
async function firstStep({ hasFirstStep }: SlotReservation): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, FIRST_STEP_MS)));
  await Promise.race([hasFirstStep, timeout]);
  clearTimeout(timer);
}

const tooManyFiles = () => invalidField('input', `must not name more than ${MAX_FILES} files`);

async function enqueueRun(
  run: NewRun,
  delivery: NewDelivery | undefined,
  { db, audit, caller }: SubmitOptions,
): Promise<Submitted | null> {
  const quotaCheck = takeRunQuota(run.workspaceId);
  if (quotaCheck) await quotaCheck;
  const submitted = { executionId: newOrderedId('exec'), startedAt: new Date().toISOString() };
  caller?.follow(submitted.executionId);
  const inputJson = jsonOf(run.input) ?? 'null';
  const hasTooMany =
    inputJson.length > FILES_PIECE ? await hasTooManyFilesInPieces(inputJson) : hasTooManyFiles(inputJson);
  if (hasTooMany) throw tooManyFiles();
  const traceParent = runtime().tracing?.active?.traceparent ?? null;
  const current = maintenance();
  if (current) {
    if (caller) throw inMaintenance(current);
    return holdDelivery({ run, inputJson, traceParent, audit, delivery, ...submitted }, current);
  }
  const reservation = db ? undefined : reserveSlot(newRun(submitted.executionId, run, inputJson, traceParent));
  const submission = { run, inputJson, traceParent, audit, delivery, reservation, ...submitted };
  if (db) return (await enqueueWithin(db, submission)) && submitted;
  let stored: Enqueued = null;
  try {
    if (caller && reservation) await firstStep(reservation);
    stored = await enqueue(submission);
  } finally {
    reservation?.confirm(stored === 'assigned');
  }
  return stored && submitted;
}

/**
 * Submits a run. Resolves once it is durable: by group commit, or with `db` as part of that transaction. `audit` is
 * written atomically with it. Rejects when the workflow is deleted, and with a Problem, before anything is stored, when
 * the workspace has used up its quota of runs.
 */
export async function submit(run: NewRun, options: SubmitOptions = {}): Promise<Submitted> {
  const submitted = await enqueueRun(run, undefined, options);
  if (!submitted) throw new Error('The run was not stored');
  return submitted;
}

/**
 * Counts runs against the quota of a workspace, before they are stored by `submitAll`. Returns how many of them it
 * permits. Throws the Problem if it permits none.
 */
export async function grantRuns(workspaceId: string, wanted: number): Promise<number> {
  for (let granted = 0; granted < wanted; granted += 1) {
    try {
      await takeRunQuota(workspaceId);
    } catch (error) {
      if (error instanceof Problem && granted > 0) return granted;
      throw error;
    }
  }
  return wanted;
}

/** Stores granted runs as part of a transaction. */
export async function submitAll(runs: readonly NewRun[], db: Transaction): Promise<void> {
  const submissions = runs.map((run): Submission => {
    const inputJson = jsonOf(run.input) ?? 'null';
    if (hasTooManyFiles(inputJson)) throw tooManyFiles();
    const submitted = { executionId: newOrderedId('exec'), startedAt: new Date().toISOString() };
    return { run, inputJson, traceParent: null, audit: undefined, delivery: undefined, ...submitted };
  });
  await enqueueAllWithin(db, submissions);
}

/**
 * Submits the run of a delivery, which is stored atomically with it. Null, and nothing is stored, when the webhook has
 * already received a delivery with this sender's id, or has changed since it was verified.
 */
export const submitDelivery = (
  run: NewRun,
  delivery: NewDelivery,
  options: SubmitOptions = {},
): Promise<Submitted | null> => enqueueRun(run, delivery, options);
