import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool } from '@/server/platform/db/client';
import { serviceLog } from '@/server/platform/log';
import { compileGraph, type WorkflowGraph, type NodeTypeRegistry } from './graph';
import { partialDefinition } from './partial-run';

/** Total number of nodes of all cached graphs. */
const MAX_CACHED_NODES = 50_000;

export interface VersionRef {
  workflowId: string;
  workflowVersion: number;
  /** The node up to which it runs; null: all nodes. */
  untilNodeId: string | null;
}

type VersionGraphs = (WorkflowGraph | undefined)[];

export const versionName = (workflowId: string, version: number) => `${workflowId}@${version}`;
const versionCacheKey = ({ workflowId, workflowVersion, untilNodeId }: VersionRef) =>
  versionName(workflowId, workflowVersion) + (untilNodeId === null ? '' : `>${untilNodeId}`);

/**
 * A least recently used cache of compiled graphs of workflow versions, which never change. A graph is undefined if its
 * workflow was deleted or its definition cannot run.
 */
export interface VersionLoader {
  /** Returns a promise only if a graph has to be read. */
  load(versions: VersionRef[]): VersionGraphs | Promise<VersionGraphs>;
  /** The graph if it is cached. */
  cached(version: VersionRef): WorkflowGraph | undefined;
}

export function createVersionLoader(kinds: NodeTypeRegistry): VersionLoader {
  /** Graphs in the order of their last use. */
  const graphs = new Map<string, WorkflowGraph>();
  let keptNodes = 0;

  function keep(key: string, graph: WorkflowGraph): void {
    graphs.set(key, graph);
    keptNodes += graph.nodes.length + 1;
    for (const [oldest, old] of graphs) {
      if (keptNodes <= MAX_CACHED_NODES || oldest === key) break;
      graphs.delete(oldest);
      keptNodes -= old.nodes.length + 1;
    }
  }

  async function load(missing: VersionRef[]): Promise<Map<string, WorkflowGraph>> {
    const { rows } = await databasePool().query<{
      workflow_id: string;
      version: number;
      definition: WorkflowDefinition;
    }>({
      name: 'engine.versions',
      text: `SELECT workflow_id, version, definition FROM workflow_version
        WHERE (workflow_id, version) IN (SELECT * FROM unnest($1::text[], $2::int[]))`,
      values: [missing.map((one) => one.workflowId), missing.map((one) => one.workflowVersion)],
    });
    const definitions = new Map(rows.map((row) => [versionName(row.workflow_id, row.version), row.definition]));
    return new Map(
      missing.flatMap((version) => {
        const definition = definitions.get(versionName(version.workflowId, version.workflowVersion));
        const key = versionCacheKey(version);
        if (!definition) return [];
        try {
          return [[key, compileGraph(partialDefinition(definition, version.untilNodeId), kinds)]];
        } catch (error) {
          serviceLog().error({ err: error, version: key }, 'a stored definition cannot be run');
          return [];
        }
      }),
    );
  }

  function find(versions: VersionRef[], loaded?: Map<string, WorkflowGraph>): VersionGraphs {
    return versions.map((version) => {
      const key = versionCacheKey(version);
      const graph = graphs.get(key);
      // Far below the limit nothing is evicted, so the order is not maintained.
      if (graph && keptNodes > MAX_CACHED_NODES / 2) {
        graphs.delete(key);
        graphs.set(key, graph);
      }
      return graph ?? loaded?.get(key);
    });
  }

  async function findAfterLoading(versions: VersionRef[], missing: Map<string, VersionRef>): Promise<VersionGraphs> {
    const loaded = await load([...missing.values()]);
    const found = find(versions, loaded);
    for (const [key, graph] of loaded) if (!graphs.has(key)) keep(key, graph);
    return found;
  }

  return {
    load(versions) {
      const found = find(versions);
      if (!found.includes(undefined)) return found;
      const missing = versions.flatMap((one, index) => (found[index] ? [] : [[versionCacheKey(one), one] as const]));
      return findAfterLoading(versions, new Map(missing));
    },
    cached: (version) => find([version])[0],
  };
}
