import type { Trigger } from '@/contract/execution';
import { pool } from '@/server/db/client';

/** Executions that one call reads to find the originals of its repetitions. */
const MOST = 2000;

/** Repetitions and what they repeat, back to the originals. `UNION` visits an execution that several lead to once. */
const CHAINS = `
WITH RECURSIVE chain AS (
  SELECT id, rerun_of, trigger FROM execution WHERE workspace_id = $1 AND id = ANY($2) AND trigger = 'rerun'
  UNION
  SELECT before.id, before.rerun_of, before.trigger FROM execution before
  JOIN chain ON before.id = chain.rerun_of AND chain.trigger = 'rerun' WHERE before.workspace_id = $1
) SELECT id, rerun_of AS "rerunOf", trigger FROM chain LIMIT ${MOST}`;

interface Link {
  id: string;
  rerunOf: string | null;
  trigger: Trigger;
}

/**
 * What started the original execution of each repetition among `ids`. An execution whose original was removed, or is
 * more repetitions away than one call reads, has no entry.
 */
export async function originalTriggers(
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Trigger>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool().query<Link>({
    name: 'engine.original-triggers',
    text: CHAINS,
    values: [workspaceId, ids],
  });
  const links = new Map(rows.map((row) => [row.id, row]));
  const found = new Map<string, Trigger>();
  for (const id of ids) {
    let link = links.get(id);
    while (link?.trigger === 'rerun') link = links.get(link.rerunOf ?? '');
    if (link) found.set(id, link.trigger);
  }
  return found;
}
