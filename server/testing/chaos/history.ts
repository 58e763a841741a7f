import type { ExecutionResponse } from '@/contract/execution';
import type { ApprovalDecision } from '@/contract/approval';
import type { SocketServerMessage } from '@/contract/channel';

/** Events as observed from outside. Times are milliseconds of the machine's clock. */
export type Happening =
  /** A request for a run was accepted with 202 at `at`. */
  | { kind: 'accepted'; at: number; story: string; executionId: string; input: unknown }
  /** GET of an execution: sent at `askedAt`, response at `at`. */
  | { kind: 'read'; askedAt: number; at: number; execution: ExecutionResponse }
  /** A decision or a cancellation, with the status of its response. */
  | { kind: 'decided'; askedAt: number; at: number; executionId: string; decision: ApprovalDecision; status: number }
  | { kind: 'cancelled'; askedAt: number; at: number; executionId: string; status: number }
  /** A node's call reached its target. */
  | { kind: 'called'; at: number; key: string; body: unknown }
  /** A live message; each connection is a `watcher`. */
  | { kind: 'told'; at: number; watcher: string; message: SocketServerMessage }
  | { kind: 'fault'; at: number; what: string };

export type Of<Kind extends Happening['kind']> = Extract<Happening, { kind: Kind }>;

/** The content of the database after all runs have ended. */
export interface Rest {
  executions: ExecutionResponse[];
  /** Successful audit entries of requests for runs. */
  auditedRequests: number;
  /** Numbers that workflows remember, by key. */
  remembered: Record<string, unknown>;
  /** The rows of the table that workflows write. */
  rows: { name: string; n: number | null }[];
}
