import { pool } from '../db/client';
import { patiently } from '../db/patiently';
import { loaded, unwritten } from './memory';
import { loadStretch } from './items';

/** Large values of a run that are stored and not here. */
export interface Away {
  /** Paths of the nodes whose outputs they are. */
  outputs: string[];
  /** The run's own input. */
  isInput: boolean;
  /** A run whose output it is. */
  childId: string | null;
  /** An item of a loop. */
  item: { loop: string; index: number } | null;
  /** Characters of their JSON; of an item: at most. */
  bytes: number;
}

/** The same, brought here. */
export interface Lent {
  outputs: ReadonlyMap<string, unknown>;
  input: unknown;
  child: unknown;
  item: unknown;
  release(): void;
}

/** Loads them for as long as somebody needs them; waits its turn, and for a database that is away. */
export async function lend(
  { id: executionId, workspaceId }: { id: string; workspaceId: string },
  away: Away,
  signal: AbortSignal,
): Promise<Lent> {
  const { outputs: paths, isInput, childId, item } = away;
  const release = await loaded.take(workspaceId, away.bytes);
  try {
    // What is read may be made into as much again.
    await unwritten.room();
    const outputs = paths.length > 0 ? await patiently(signal, () => outputsOf(executionId, paths)) : new Map();
    const input = isInput ? await patiently(signal, () => ofRun('input', executionId)) : undefined;
    const child = childId === null ? undefined : await patiently(signal, () => ofRun('output', childId));
    const value = item ? await patiently(signal, () => loadStretch(executionId, item.loop, item.index)) : undefined;
    return { outputs, input, child, item: value, release };
  } catch (error) {
    release();
    throw error;
  }
}

async function outputsOf(executionId: string, paths: string[]): Promise<Map<string, unknown>> {
  const { rows } = await pool().query<{ node_id: string; output: unknown }>({
    name: 'engine.large',
    text: 'SELECT node_id, output FROM node_result WHERE execution_id = $1 AND node_id = ANY($2)',
    values: [executionId, paths],
  });
  return new Map(rows.map((row) => [row.node_id, row.output]));
}

async function ofRun(field: 'input' | 'output', id: string): Promise<unknown> {
  const { rows } = await pool().query<{ value: unknown }>({
    name: `engine.${field}-of-run`,
    text: `SELECT ${field} AS value FROM execution WHERE id = $1`,
    values: [id],
  });
  return rows[0]?.value ?? null;
}
