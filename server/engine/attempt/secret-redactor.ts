import { MAX_SECRET_CHARACTERS } from '@/contract/credentials/credential-fields';
import { NO_SECRETS_REDACTOR, createRedactor, type ValueRedactor } from '@/server/evaluation/redaction/redactor';
import { openCredentials } from '@/server/connectors/vault';
import { retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import { nodeCredentialIds } from '@/server/workflow/definition/credentials';
import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import { createNodeFailure } from '@/server/platform/errors/node-failure';

const EMPTY_SECRET_SET: ReadonlySet<string> = new Set();

/**
 * Masks the secrets of one run: those of every credential that its definition names, used or not, so that the run
 * stores the same after a crash, and tokens that are refreshed during the run.
 */
export class SecretRedactor implements ValueRedactor {
  // Most runs have no secrets: a shared empty set avoids allocations.
  private fromCredentials: ReadonlySet<string> = EMPTY_SECRET_SET;
  private refreshedTokens: readonly string[] = [];
  private redactor = NO_SECRETS_REDACTOR;

  /**
   * Adds the secrets of a credential before it is used. Throws NodeFailure TOO_MANY_SECRETS. Refreshed tokens that are
   * no longer in use are evicted, oldest first.
   */
  add(secrets: Iterable<string>): void {
    const fresh = [...new Set(secrets)].filter(
      (one) => !this.fromCredentials.has(one) && !this.refreshedTokens.includes(one),
    );
    if (fresh.length === 0) return;
    const room = MAX_SECRET_CHARACTERS - totalSecretLength(this.fromCredentials) - totalSecretLength(fresh);
    if (room < 0) throw tooManySecrets();
    let keptTokens = this.refreshedTokens;
    while (totalSecretLength(keptTokens) > room) keptTokens = keptTokens.slice(1);
    this.refreshedTokens = [...keptTokens, ...fresh];
    this.rebuild();
  }

  /** The current secrets, for redaction in evaluator processes. */
  get all(): string[] {
    return [...this.fromCredentials, ...this.refreshedTokens];
  }

  get isEmpty(): boolean {
    return this.fromCredentials.size + this.refreshedTokens.length === 0;
  }

  text(value: string): string {
    return this.redactor.text(value);
  }

  value<T>(value: T): T {
    return this.redactor.value(value);
  }

  /** Loads the secrets of a graph's credentials; retries while the database is unavailable. Undefined: it has none. */
  load(graph: WorkflowGraph, workspaceId: string, lost: AbortSignal): Promise<void> | undefined {
    const ids = graphCredentialIds(graph);
    return ids.length > 0 ? this.open(ids, workspaceId, lost) : undefined;
  }

  /** Skips a credential that exceeds the limit; a node that uses it fails. */
  private async open(ids: string[], workspaceId: string, lost: AbortSignal): Promise<void> {
    const opened = await retryWhileUnavailable(lost, () => openCredentials(workspaceId, ids));
    for (const id of ids) {
      const combined = new Set([...this.fromCredentials, ...(opened.get(id)?.secrets ?? [])]);
      if (totalSecretLength(combined) <= MAX_SECRET_CHARACTERS) this.fromCredentials = combined;
    }
    this.rebuild();
  }

  private rebuild(): void {
    this.redactor = createRedactor([...this.fromCredentials, ...this.refreshedTokens]);
  }
}

function totalSecretLength(secrets: Iterable<string>): number {
  let sum = 0;
  for (const { length } of secrets) sum += length;
  return sum;
}

const tooManySecrets = () => createNodeFailure('TOO_MANY_SECRETS', { maxCharacters: MAX_SECRET_CHARACTERS });

const graphCredentialCache = new WeakMap<WorkflowGraph, string[]>();

function graphCredentialIds(graph: WorkflowGraph): string[] {
  const ids = graphCredentialCache.get(graph) ?? [
    ...new Set(graph.nodes.flatMap(({ definition: node }) => nodeCredentialIds(node))),
  ];
  graphCredentialCache.set(graph, ids);
  return ids;
}
