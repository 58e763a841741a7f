import type { FieldIssue } from '../error-response';
import type { TemplateTrigger } from './template';
import type { WorkflowDefinition } from './workflow';

/** Limits and events of proposals without their schemas, so that the editor does not load zod for them. */

/** An instruction has at most this many characters. */
export const MAX_INSTRUCTION_LENGTH = 10_000;
/** A conversation has at most this many instructions and replies. */
export const MAX_CONVERSATION_TURNS = 40;
/** A proposal has at most this many triggers. */
export const MAX_PROPOSED_TRIGGERS = 10;

/** Tokens and cost of all calls of the model. */
export interface ProposalUsage {
  inputTokens: number;
  cachedInputTokens?: number;
  outputTokens: number;
  /** US dollars; absent: the price of the model is not known. */
  costUsd?: number;
}

/** A workflow that a model proposes. The service does not store it. */
export interface WorkflowProposal {
  /** Valid, though parts may be missing; null: the model gave none, only an answer or issues. */
  definition: WorkflowDefinition | null;
  /** What shall start it, beside the triggers that it has: bodies of the operations that create them. */
  triggers: TemplateTrigger[];
  /** An example of the input of a run; null: the model gave none. */
  exampleInput: Record<string, unknown> | null;
  /** What the model says about it, as Markdown. */
  summary: string;
  /** What is missing before it can run; without a definition, why the last one is invalid. Paths as of a definition. */
  problems: FieldIssue[];
  usage: ProposalUsage;
}

/** What happens while a proposal is made, one event after the other. `proposal` and `error` are the last one. */
export type ProposalEvent =
  /** What the model does at present, as a sentence. */
  | { event: 'progress'; data: { text: string } }
  /** The model is still busy. */
  | { event: 'working'; data: Record<string, never> }
  | { event: 'proposal'; data: WorkflowProposal }
  /** There is no proposal: `message` says why. */
  | { event: 'error'; data: { code: string; message: string } };
