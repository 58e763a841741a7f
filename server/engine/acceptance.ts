import { pool, type Db } from '../db/client';
import { gather } from '../db/gather';
import { dispatcher } from '../dispatch/dispatcher';
import { HAND_OVER, parameters, SUBMIT } from './acceptance-statement';
import { tell, weigh } from './checkpoint';
import type { Submission } from './submission';

/** `handed`: stored as its worker's; `free`: for any worker to take; null: nothing is stored. */
export type Stored = 'handed' | 'free' | null;

async function storeAll(submissions: Submission[]): Promise<Stored[]> {
  const { isInDatabase, offer } = dispatcher();
  const isHandedOver = submissions.some(({ place }) => place);
  const firsts = submissions.map(({ place }) => place?.take());
  const { rows } = await pool().query<{ free: string[]; handed: string[] }>(
    isHandedOver
      ? { name: 'engine.hand-over', text: HAND_OVER, values: parameters(submissions, isInDatabase, firsts) }
      : { name: 'engine.submit', text: SUBMIT, values: parameters(submissions, isInDatabase) },
  );
  const free = new Set(rows[0]?.free);
  const handed = new Set(rows[0]?.handed);
  if (free.size > 0) offer();
  if (!isInDatabase) tell(firsts.flatMap((step) => (step && handed.has(step.executionId) ? step : [])));
  return submissions.map(({ executionId }) =>
    handed.has(executionId) ? 'handed' : free.has(executionId) ? 'free' : null,
  );
}

/** Resolves once the submission is stored for good, together with others of the moment. */
export const store = gather(storeAll, {
  weigh({ inputJson, place }) {
    const first = place?.take();
    return inputJson.length + (first ? weigh(first) : 0);
  },
});

/** The same as part of a transaction. */
export async function storeWithin(db: Db, submission: Submission): Promise<Stored> {
  const [row] = await db.$queryRawUnsafe<{ free: string[] }[]>(SUBMIT, ...parameters([submission], true));
  return row?.free.length ? 'free' : null;
}
