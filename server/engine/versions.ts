import type { Definition } from '@/contract/workflow';
import { pool } from '../db/client';
import { log } from '../log';
import { compile, type Graph, type Kinds } from './graph';
import { partOf } from './part';

/** Nodes of all graphs that are kept at hand. */
const MAX_NODES = 50_000;

export interface Version {
  workflowId: string;
  workflowVersion: number;
  /** The node up to which it is run; null: the whole of it. */
  untilNodeId: string | null;
}

type Loaded = (Graph | undefined)[];

const nameOf = (workflowId: string, version: number) => `${workflowId}@${version}`;
const keyOf = ({ workflowId, workflowVersion, untilNodeId }: Version) =>
  nameOf(workflowId, workflowVersion) + (untilNodeId === null ? '' : `>${untilNodeId}`);

/**
 * Loads the compiled graphs of workflow versions. Versions never change, so the lately used ones are kept. A graph is
 * undefined when its workflow is gone or its definition can't be run. Only graphs that have to be fetched take a promise.
 */
export function versionLoader(kinds: Kinds): (versions: Version[]) => Loaded | Promise<Loaded> {
  /** In the order of their last use. */
  const kept = new Map<string, Graph>();
  let keptNodes = 0;

  function keep(key: string, graph: Graph): void {
    kept.set(key, graph);
    keptNodes += graph.nodes.length + 1;
    for (const [oldest, old] of kept) {
      if (keptNodes <= MAX_NODES || oldest === key) break;
      kept.delete(oldest);
      keptNodes -= old.nodes.length + 1;
    }
  }

  async function load(missing: Version[]): Promise<Map<string, Graph>> {
    const { rows } = await pool().query<{ workflow_id: string; version: number; definition: Definition }>({
      name: 'engine.versions',
      text: `SELECT workflow_id, version, definition FROM workflow_version
        WHERE (workflow_id, version) IN (SELECT * FROM unnest($1::text[], $2::int[]))`,
      values: [missing.map((one) => one.workflowId), missing.map((one) => one.workflowVersion)],
    });
    const definitions = new Map(rows.map((row) => [nameOf(row.workflow_id, row.version), row.definition]));
    return new Map(
      missing.flatMap((version) => {
        const definition = definitions.get(nameOf(version.workflowId, version.workflowVersion));
        const key = keyOf(version);
        if (!definition) return [];
        try {
          return [[key, compile(partOf(definition, version.untilNodeId), kinds)]];
        } catch (error) {
          log().error({ err: error, version: key }, 'a stored definition can not be run');
          return [];
        }
      }),
    );
  }

  function find(versions: Version[], loaded?: Map<string, Graph>): Loaded {
    return versions.map((version) => {
      const key = keyOf(version);
      const graph = kept.get(key);
      // With room to spare nothing is let go of, so the order says nothing.
      if (graph && keptNodes > MAX_NODES / 2) {
        kept.delete(key);
        kept.set(key, graph);
      }
      return graph ?? loaded?.get(key);
    });
  }

  async function findAfterLoading(versions: Version[], missing: Map<string, Version>): Promise<Loaded> {
    const loaded = await load([...missing.values()]);
    const found = find(versions, loaded);
    for (const [key, graph] of loaded) if (!kept.has(key)) keep(key, graph);
    return found;
  }

  return (versions) => {
    const found = find(versions);
    if (!found.includes(undefined)) return found;
    const missing = versions.flatMap((one, index) => (found[index] ? [] : [[keyOf(one), one] as const]));
    return findAfterLoading(versions, new Map(missing));
  };
}
