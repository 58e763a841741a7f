import type { AuditRow } from '../api/operation';
import type { Db } from '../db/client';
import { newOrderedId } from '../db/ids';
import { store, storeWithin, type Stored } from './acceptance';
import { placeFor } from './handover';
import { newRun, type NewDelivery, type NewRun, type Submitted } from './submission';

/** What goes along with a run, or neither is stored. */
interface Along {
  /** A transaction that all of it shall be part of. */
  db?: Db;
  audit?: AuditRow;
}

async function hand(run: NewRun, delivery: NewDelivery | undefined, { db, audit }: Along): Promise<Submitted | null> {
  const submitted = { executionId: newOrderedId('exec'), startedAt: new Date().toISOString() };
  const place = db ? undefined : placeFor(newRun(submitted.executionId, run));
  const submission = { run, inputJson: JSON.stringify(run.input) ?? 'null', audit, delivery, place, ...submitted };
  if (db) return (await storeWithin(db, submission)) && submitted;
  let stored: Stored = null;
  try {
    stored = await store(submission);
  } finally {
    place?.settle(stored === 'handed');
  }
  return stored && submitted;
}

/**
 * Asks for a run. Resolves once it is stored for good: together with other requests of the moment, or, given `db`, as
 * part of that transaction. `audit` is written along, or neither is. Rejects when the workflow is gone.
 */
export async function submit(run: NewRun, along: Along = {}): Promise<Submitted> {
  const submitted = await hand(run, undefined, along);
  if (!submitted) throw new Error('A run that nothing speaks against was not stored');
  return submitted;
}

/**
 * The same for a delivery, which is stored along. Null, and nothing is stored, when the webhook has had one with this
 * sender's id, or is not as it was seen.
 */
export const submitDelivery = (run: NewRun, delivery: NewDelivery, along: Along = {}): Promise<Submitted | null> =>
  hand(run, delivery, along);
