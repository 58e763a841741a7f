import { serviceLog } from '@/server/platform/log';
import { repeatAction } from '@/server/platform/timers/repeat';
import { maintainTable, listTablesToMaintain } from './indexes';
import { addUpTableTallies } from './tally';

const TABLE_ROUND_MS = 5000;

/** One round: adds up what the tables have, builds the indexes that they need, and takes their statistics. */
export async function maintainTables(): Promise<void> {
  while ((await addUpTableTallies()) > 1);
  for (const id of await listTablesToMaintain()) {
    try {
      await maintainTable(id);
    } catch (error) {
      // One table must not keep the others waiting; the next round tries it again.
      serviceLog().warn({ err: error, table: id }, 'the indexes of a table could not be built');
    }
  }
}

/** Starts the rounds of this process. */
export function startTableKeeper(): { stop(): Promise<void> } {
  const rounds = repeatAction(maintainTables, TABLE_ROUND_MS, (error) =>
    serviceLog().warn({ err: error }, 'keeping tables failed'),
  );
  rounds.wake();
  return rounds;
}
