import type { FieldError } from '../error';
import type { Definition } from './workflow';

/** Limits and events of proposals without their schemas, so that the editor does not load zod for them. */

/** Characters of an instruction. */
export const MAX_INSTRUCTION = 10_000;
/** Instructions and answers of a conversation. */
export const MAX_TURNS = 40;

/** Tokens and cost of all calls of the model. */
export interface ProposalUsage {
  inputTokens: number;
  cachedInputTokens?: number;
  outputTokens: number;
  /** US dollars; absent: the price of the model is not known. */
  costUsd?: number;
}

/** A workflow as a model proposes it. Nothing of it is stored. */
export interface Proposal {
  /** Valid, though parts may be missing; null: the model gave none, only an answer or issues. */
  definition: Definition | null;
  /** What the model says about it, as Markdown. */
  summary: string;
  /** What is missing before it can run; without a definition, why the last one is invalid. Paths as of a definition. */
  problems: FieldError[];
  usage: ProposalUsage;
}

/** What happens while a proposal is made, one event after the other. `proposal` and `error` are the last one. */
export type ProposalEvent =
  /** What the model does at present, as a sentence. */
  | { event: 'progress'; data: { text: string } }
  /** The model is still busy. */
  | { event: 'working'; data: Record<string, never> }
  | { event: 'proposal'; data: Proposal }
  /** There is no proposal: `message` says why. */
  | { event: 'error'; data: { code: string; message: string } };
