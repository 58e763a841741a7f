import type { TriggerVariable } from '@/contract/execution';

/** What the names of a prelude say about a node and its workflow. */
export interface PreludeFacts {
  /** The ids of nodes by their names. */
  names: Readonly<Record<string, string>>;
  /** The name of the node. */
  node: string;
  /** The name of the node whose output comes in. */
  previous: string | null;
  workflow: { id: string; name: string | null };
  /** The address of this service, without a slash at its end. */
  serviceUrl: string;
  /** The round of the loop around the node. */
  round: number;
  isTest: boolean;
}

type MutableRecord = Record<string, unknown>;

/** The run itself, as expressions see it. */
export interface RunScope {
  id: string;
  workflowId: string;
  input: unknown;
  trigger: TriggerVariable;
  /** The addresses of nodes that wait for calls, by their ids. */
  resumeUrls: Readonly<Record<string, string>>;
}

/** The data that an expression sees. */
export interface EvaluationScope {
  input: unknown;
  /** Outputs of finished nodes by their ids. */
  nodes: Record<string, unknown>;
  execution: RunScope;
  /** Variables of the workspace by their names; empty unless the node names `vars`. */
  vars: Readonly<Record<string, unknown>>;
  /** In a node that runs once for each item of a list: the item, its index, and the list. */
  item?: unknown;
  index?: number;
  items?: unknown;
  /** By node ids: the items of earlier lists that the item came from. */
  paired?: Readonly<Record<string, unknown>>;
  /** With a prelude: what its names say about the node and its workflow. */
  prelude?: PreludeFacts;
  /** The stored cursor of a poll, in the config of its node only. */
  cursor?: unknown;
}

/** Sets a field with any name: a plain assignment of `__proto__` would change the object's prototype. */
export function setField(target: MutableRecord, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
