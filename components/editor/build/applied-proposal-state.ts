/** A proposal that was applied: what a person needs to go on with it. */
export interface AppliedProposalState {
  /** Secrets of webhooks that the service has made; they are shown once. */
  secrets: { url: string; secret: string }[];
  /** The input of a run with example data. */
  exampleInput: Record<string, unknown>;
  /** The ids of the nodes that were there before. */
  beforeIds: readonly string[];
}
