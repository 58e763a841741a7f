import { log } from '@/server/log';
import { repeat } from '@/server/repeat';
import { keepTable, tablesToKeep } from './indexes';
import { addUpTables } from './tally';

const ROUND_MS = 5000;

/** One round: adds up what the tables have, builds the indexes that they need, and takes their statistics. */
export async function keepTables(): Promise<void> {
  while ((await addUpTables()) > 1);
  for (const id of await tablesToKeep()) {
    try {
      await keepTable(id);
    } catch (error) {
      // One table must not keep the others waiting; the next round tries it again.
      log().warn({ err: error, table: id }, 'the indexes of a table could not be built');
    }
  }
}

/** Starts the rounds of this process. */
export function startTableKeeper(): { stop(): Promise<void> } {
  const rounds = repeat(keepTables, ROUND_MS, (error) => log().warn({ err: error }, 'keeping tables failed'));
  rounds.now();
  return rounds;
}
