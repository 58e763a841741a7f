import type { AnyTransaction } from '@/server/platform/db/within';
import { generateOrderedId } from '@/server/platform/db/ids';
import type { WaitingCaller } from '../answers/waiting-caller';
import { enqueueSubmission, enqueueAllInTransaction, enqueueInTransaction, type EnqueueResult } from './enqueue';
import { reserveLocalSlot, type SlotReservation } from './admission/local-admission';
import { takeRunQuota } from './admission/run-quota';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import { invalidFieldProblem, ApiProblem } from '@/server/platform/errors/problem';
import { FILE_SEARCH_PIECE, hasTooManyFiles, hasTooManyFilesInPieces, MAX_FILES_PER_VALUE } from '../store/value';
import { maintenanceProblem, currentMaintenance } from '@/server/platform/maintenance';
import { getRuntime } from '@/server/platform/runtime';
import { holdDelivery } from './held-deliveries';
import {
  toUnstoredRun,
  type AcceptedDelivery,
  type RunRequest,
  type RunSubmission,
  type SubmittedRun,
} from './submission';
import type { AuditRow } from '@/server/people/audit/entry';

/** Options of a submission; everything is stored atomically with the run. */
export interface SubmitRunOptions {
  /** A transaction to store the run in. */
  db?: AnyTransaction;
  audit?: AuditRow;
  /** The caller that waits for the run. */
  caller?: WaitingCaller;
}

/** How long storing a run is delayed for its first step when a caller waits, in milliseconds. */
const MAX_FIRST_STEP_WAIT_MS = 4;

/** Waits for the first step for a short time. Stored together with the run, it costs one transaction instead of two. */
async function waitForFirstStep({ hasFirstStep }: SlotReservation): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, MAX_FIRST_STEP_WAIT_MS)));
  await Promise.race([hasFirstStep, timeout]);
  clearTimeout(timer);
}

const tooManyFilesProblem = () => invalidFieldProblem('input', `must not name more than ${MAX_FILES_PER_VALUE} files`);

async function enqueueRunRequest(
  run: RunRequest,
  delivery: AcceptedDelivery | undefined,
  { db, audit, caller }: SubmitRunOptions,
): Promise<SubmittedRun | null> {
  const quotaCheck = takeRunQuota(run.workspaceId);
  if (quotaCheck) await quotaCheck;
  const submitted = { executionId: generateOrderedId('exec'), startedAt: new Date().toISOString() };
  caller?.assignRun(submitted.executionId);
  const inputJson = serializeJson(run.input) ?? 'null';
  const hasTooMany =
    inputJson.length > FILE_SEARCH_PIECE ? await hasTooManyFilesInPieces(inputJson) : hasTooManyFiles(inputJson);
  if (hasTooMany) throw tooManyFilesProblem();
  const traceParent = getRuntime().tracing?.active?.traceparent ?? null;
  const current = currentMaintenance();
  if (current) {
    if (caller) throw maintenanceProblem(current);
    return holdDelivery({ run, inputJson, traceParent, audit, delivery, ...submitted }, current);
  }
  const reservation = db
    ? undefined
    : reserveLocalSlot(toUnstoredRun(submitted.executionId, run, inputJson, traceParent));
  const submission = { run, inputJson, traceParent, audit, delivery, reservation, ...submitted };
  if (db) return (await enqueueInTransaction(db, submission)) && submitted;
  let stored: EnqueueResult = null;
  try {
    if (caller && reservation) await waitForFirstStep(reservation);
    stored = await enqueueSubmission(submission);
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
export async function submitRun(run: RunRequest, options: SubmitRunOptions = {}): Promise<SubmittedRun> {
  const submitted = await enqueueRunRequest(run, undefined, options);
  if (!submitted) throw new Error('The run was not stored');
  return submitted;
}

/**
 * Counts runs against the quota of a workspace, before they are stored by `submitGrantedRuns`. Returns how many of them
 * it permits. Throws the Problem if it permits none.
 */
export async function grantRunQuota(workspaceId: string, wanted: number): Promise<number> {
  for (let granted = 0; granted < wanted; granted += 1) {
    try {
      await takeRunQuota(workspaceId);
    } catch (error) {
      if (error instanceof ApiProblem && granted > 0) return granted;
      throw error;
    }
  }
  return wanted;
}

/** Stores granted runs as part of a transaction. */
export async function submitGrantedRuns(runs: readonly RunRequest[], db: AnyTransaction): Promise<void> {
  const submissions = runs.map((run): RunSubmission => {
    const inputJson = serializeJson(run.input) ?? 'null';
    if (hasTooManyFiles(inputJson)) throw tooManyFilesProblem();
    const submitted = { executionId: generateOrderedId('exec'), startedAt: new Date().toISOString() };
    return { run, inputJson, traceParent: null, audit: undefined, delivery: undefined, ...submitted };
  });
  await enqueueAllInTransaction(db, submissions);
}

/**
 * Submits the run of a delivery, which is stored atomically with it. Null, and nothing is stored, when the webhook has
 * already received a delivery with this sender's id, or has changed since it was verified.
 */
export const submitDeliveryRun = (
  run: RunRequest,
  delivery: AcceptedDelivery,
  options: SubmitRunOptions = {},
): Promise<SubmittedRun | null> => enqueueRunRequest(run, delivery, options);
