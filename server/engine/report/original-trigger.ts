import type { TriggerType } from '@/contract/execution';
import { databasePool } from '@/server/platform/db/client';

/** Limit of the executions that one call reads to find the originals of repetitions. */
const MAX_CHAIN_EXECUTIONS = 2000;

/**
 * SQL: follows repetitions back to their originals. `UNION` visits an execution only once if several repetitions lead
 * to it.
 */
const RERUN_CHAINS_SQL = `
WITH RECURSIVE chain AS (
  SELECT id, rerun_of, trigger FROM execution WHERE workspace_id = $1 AND id = ANY($2) AND trigger = 'rerun'
  UNION
  SELECT before.id, before.rerun_of, before.trigger FROM execution before
  JOIN chain ON before.id = chain.rerun_of AND chain.trigger = 'rerun' WHERE before.workspace_id = $1
) SELECT id, rerun_of AS "rerunOf", trigger FROM chain LIMIT ${MAX_CHAIN_EXECUTIONS}`;

interface RerunLink {
  id: string;
  rerunOf: string | null;
  trigger: TriggerType;
}

/**
 * What started the original execution of each repetition among `ids`. An execution whose original was removed, or is
 * more repetitions away than one call reads, has no entry.
 */
export async function findOriginalTriggers(
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TriggerType>> {
  if (ids.length === 0) return new Map();
  const { rows } = await databasePool().query<RerunLink>({
    name: 'engine.original-triggers',
    text: RERUN_CHAINS_SQL,
    values: [workspaceId, ids],
  });
  const links = new Map(rows.map((row) => [row.id, row]));
  const found = new Map<string, TriggerType>();
  for (const id of ids) {
    let link = links.get(id);
    while (link?.trigger === 'rerun') link = links.get(link.rerunOf ?? '');
    if (link) found.set(id, link.trigger);
  }
  return found;
}
