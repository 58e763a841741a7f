import type { Definition } from '@/contract/workflow';
import { openCredentials } from '../connectors/vault';
import { patiently } from '../db/patiently';
import type { Graph } from './graph';
import { redactor, type Redactor } from '../connectors/redact';

/**
 * The secrets of one run. They are those of every credential that its definition names, used yet or not, so that the
 * run stores and tells the same after a crash; tokens that are renewed on the way come in addition.
 */
export class Masks implements Redactor {
  private readonly secrets = new Set<string>();
  private redactor = redactor([]);

  add(secrets: Iterable<string>): void {
    const before = this.secrets.size;
    for (const secret of secrets) this.secrets.add(secret);
    if (this.secrets.size > before) this.redactor = redactor(this.secrets);
  }

  text(value: string): string {
    return this.redactor.text(value);
  }

  value<T>(value: T): T {
    return this.redactor.value(value);
  }

  /** Learns the secrets of a graph's credentials; waits for a database that is away. Undefined: there are none. */
  learn(graph: Graph, workspaceId: string, lost: AbortSignal): Promise<void> | undefined {
    const ids = credentialIds(graph);
    return ids.length > 0 ? this.open(ids, workspaceId, lost) : undefined;
  }

  private async open(ids: string[], workspaceId: string, lost: AbortSignal): Promise<void> {
    const opened = await patiently(lost, () => openCredentials(workspaceId, ids));
    this.add([...opened.values()].flatMap((credential) => credential.secrets));
  }
}

const known = new WeakMap<Graph, string[]>();

function credentialIds(graph: Graph): string[] {
  const ids = known.get(graph) ?? [
    ...new Set(
      graph.nodes.flatMap(({ node, kind }) => idsOf(node.credentialId, kind?.inner && node.config[kind.inner])),
    ),
  ];
  known.set(graph, ids);
  return ids;
}

/** A node's own, and those inside the definition that its config holds: found by name, at whatever depth. */
function idsOf(credentialId: string | undefined, inner: unknown): string[] {
  const ids = credentialId === undefined ? [] : [credentialId];
  const { nodes = [] } = (inner ?? {}) as Partial<Definition>;
  return [...ids, ...nodes.flatMap((node) => idsOf(node.credentialId, Object.values(node.config).find(isDefinition)))];
}

const isDefinition = (value: unknown): value is Definition =>
  typeof value === 'object' &&
  value !== null &&
  'nodes' in value &&
  Array.isArray(value.nodes) &&
  'connections' in value;
