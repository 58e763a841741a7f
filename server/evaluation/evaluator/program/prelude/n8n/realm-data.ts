/** What the service says about the node whose expressions are evaluated. */
export interface N8nNodeFacts {
  /** The ids of nodes by their names. */
  names: Record<string, string>;
  /** The name of the node. */
  node: string;
  /** The name of the node whose output comes in. */
  previous: string | null;
  workflow: { id: string; name: string | null };
  /** The address of the service, without a slash at its end. */
  serviceUrl: string;
  /** The round of the loop around the node. */
  round: number;
  isTest: boolean;
}

/** The scope of expressions of Weft, from which the names of n8n are made. */
export interface RealmData {
  input?: unknown;
  item?: unknown;
  index?: number;
  items?: unknown;
  /** The JSON of outputs by the ids of nodes. */
  nodes?: Record<string, string>;
  paired?: Record<string, unknown>;
  execution?: { id?: string; resumeUrls?: Record<string, string>; trigger?: unknown };
  vars?: Record<string, unknown>;
  prelude?: N8nNodeFacts;
}
