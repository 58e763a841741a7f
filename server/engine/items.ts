import { pool } from '../db/client';
import { STRETCH } from './memory';

/** Items of a large loop that follow one another, as many as are kept at hand at a time. */
interface Stretch {
  first: number;
  items: unknown[];
}

const MAX_STRETCHES = 32;
/** By run and loop, in the order of their last use. */
const stretches = new Map<string, Stretch>();

const keyOf = (executionId: string, loop: string) => `${executionId} ${loop}`;

/** An item that is at hand, as a list of one; empty: it has to be loaded. */
export function itemAtHand(executionId: string, loop: string, index: number): unknown[] {
  const key = keyOf(executionId, loop);
  const stretch = stretches.get(key);
  if (!stretch) return [];
  stretches.delete(key);
  stretches.set(key, stretch);
  return stretch.items.slice(index - stretch.first, index - stretch.first + 1);
}

function keep(key: string, stretch: Stretch): void {
  stretches.delete(key);
  stretches.set(key, stretch);
  const [oldest] = stretches.keys();
  if (stretches.size > MAX_STRETCHES && oldest !== undefined) stretches.delete(oldest);
}

/** Loads an item with those that follow it, so that the next rounds find theirs; answers the item. */
export async function loadStretch(executionId: string, loop: string, index: number): Promise<unknown> {
  const { rows } = await pool().query<{ item: unknown; until: number }>({
    name: 'engine.items',
    text: `SELECT item, until FROM (
        SELECT item, place, sum(octet_length(item::text)) OVER (ORDER BY place)::int AS until
        FROM node_result, json_array_elements(held -> 'items') WITH ORDINALITY AS every(item, place)
        WHERE execution_id = $1 AND node_id = $2 AND place > $3) following
      WHERE until <= $4 OR place = $3 + 1 ORDER BY place`,
    values: [executionId, loop, index, STRETCH],
  });
  const isAlone = rows.length === 1 && (rows[0]?.until ?? 0) > STRETCH;
  if (!isAlone) keep(keyOf(executionId, loop), { first: index, items: rows.map(({ item }) => item) });
  return rows[0]?.item;
}
