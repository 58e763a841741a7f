import type { Definition } from '@/contract/workflows/workflow';
import { pool } from '@/server/db/client';
import { log } from '@/server/log';
import { compile, type Graph, type Kinds } from './graph';
import { partOf } from './part';

/** Total number of nodes of all cached graphs. */
const MAX_NODES = 50_000;

export interface Version {
  workflowId: string;
  workflowVersion: number;
  /** The node up to which it runs; null: all nodes. */
  untilNodeId: string | null;
}

type Loaded = (Graph | undefined)[];

export const nameOf = (workflowId: string, version: number) => `${workflowId}@${version}`;
const keyOf = ({ workflowId, workflowVersion, untilNodeId }: Version) =>
  nameOf(workflowId, workflowVersion) + (untilNodeId === null ? '' : `>${untilNodeId}`);

/**
 * A least recently used cache of compiled graphs of workflow versions, which never change. A graph is undefined if its workflow was deleted
 * or its definition cannot run.
 */
export interface VersionLoader {
  /** Returns a promise only if a graph has to be read. */
  load(versions: Version[]): Loaded | Promise<Loaded>;
  /** The graph if it is cached. */
  cached(version: Version): Graph | undefined;
}

export function versionLoader(kinds: Kinds): VersionLoader {
  /** In the order of their last use. */
  const graphs = new Map<string, Graph>();
  let keptNodes = 0;

  function keep(key: string, graph: Graph): void {
    graphs.set(key, graph);
    keptNodes += graph.nodes.length + 1;
    for (const [oldest, old] of graphs) {
      if (keptNodes <= MAX_NODES || oldest === key) break;
      graphs.delete(oldest);
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
          log().error({ err: error, version: key }, 'a stored definition cannot be run');
          return [];
        }
      }),
    );
  }

  function find(versions: Version[], loaded?: Map<string, Graph>): Loaded {
    return versions.map((version) => {
      const key = keyOf(version);
      const graph = graphs.get(key);
      // Far below the limit nothing is evicted, so the order is not maintained.
      if (graph && keptNodes > MAX_NODES / 2) {
        graphs.delete(key);
        graphs.set(key, graph);
      }
      return graph ?? loaded?.get(key);
    });
  }

  async function findAfterLoading(versions: Version[], missing: Map<string, Version>): Promise<Loaded> {
    const loaded = await load([...missing.values()]);
    const found = find(versions, loaded);
    for (const [key, graph] of loaded) if (!graphs.has(key)) keep(key, graph);
    return found;
  }

  return {
    load(versions) {
      const found = find(versions);
      if (!found.includes(undefined)) return found;
      const missing = versions.flatMap((one, index) => (found[index] ? [] : [[keyOf(one), one] as const]));
      return findAfterLoading(versions, new Map(missing));
    },
    cached: (version) => find([version])[0],
  };
}
