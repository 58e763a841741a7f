import { useEffect, useRef, useState } from 'react';
import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowProposal, ProposalEvent } from '@/contract/workflows/proposal-event';
import { MAX_INSTRUCTION_LENGTH, MAX_CONVERSATION_TURNS } from '@/contract/workflows/proposal-event';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { requestService, ServiceRefusal } from '@/components/client/service-request';
import { readServerEvents } from '@/components/client/server-events';
import { useDraftStore } from '../draft/draft';
import { arrangeProposal } from './arrange';

interface InstructionTurn {
  role: 'user' | 'assistant';
  text: string;
}

/** The result of an instruction. */
export interface ProposalResult {
  instruction: string;
  summary: string;
  problems: FieldIssue[];
  /** What is created when the proposal is applied. */
  triggers: WorkflowProposal['triggers'];
  exampleInput: WorkflowProposal['exampleInput'];
  usage: WorkflowProposal['usage'];
  /** The definition that was on the canvas. */
  before: WorkflowDefinition;
  /** The definition as the model proposes it, with the positions of the service. Null if it proposes none. */
  proposed: WorkflowDefinition | null;
  /** The same definition with the positions at which it is drawn. */
  drawn: WorkflowDefinition | null;
  /** Whether all nodes are arranged anew. */
  isWhole: boolean;
}

interface ProposalState {
  /** The steps of the model so far, one sentence each. Undefined while it does not work. */
  progress: string[] | undefined;
  instruction: string;
  error: string | undefined;
  result: ProposalResult | undefined;
}

const INITIAL_PROPOSAL: ProposalState = { progress: undefined, instruction: '', error: undefined, result: undefined };
const CONNECTION_LOST_TEXT = 'The connection was lost. Try again.';

const proposalErrorText = (error: unknown): string =>
  error instanceof ServiceRefusal
    ? error.message
    : 'The service can’t be reached. Check your connection and try again.';

/** Lets a model propose changes of the workflow, and keeps the conversation while the dialog is open. */
export function useProposal(catalogue: NodeTypesByName) {
  const store = useDraftStore();
  const [state, setState] = useState(INITIAL_PROPOSAL);
  const running = useRef<AbortController>(undefined);
  const turns = useRef<InstructionTurn[]>([]);
  useEffect(() => () => running.current?.abort(), []);

  /** The result of a stream of events. Throws RequestRefused and TypeError. */
  const follow = async (body: object, signal: AbortSignal): Promise<WorkflowProposal> => {
    const { id } = store.get().saved;
    const headers = { 'content-type': 'application/json' };
    const answer = await requestService(`/api/workflows/${id}/proposals`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    });
    if (!answer.body) throw new TypeError('The answer is empty.');
    for await (const { event, data } of readServerEvents<ProposalEvent>(answer.body)) {
      if (event === 'progress') setState((now) => ({ ...now, progress: [...(now.progress ?? []), data.text] }));
      if (event === 'error') throw new ServiceRefusal(data.message, 200);
      if (event === 'proposal') return data;
    }
    throw new ServiceRefusal(CONNECTION_LOST_TEXT, 200);
  };

  const send = async (instruction: string, model: { credentialId: string; model: string }) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    const before = store.get().definition;
    setState((now) => ({ ...now, progress: [], instruction, error: undefined }));
    // A further instruction is about what the model has proposed.
    const definition = state.result?.proposed ?? before;
    const proposedTriggers = state.result?.triggers ?? [];
    const conversation = turns.current.slice(-MAX_CONVERSATION_TURNS);
    try {
      const proposal = await follow(
        { instruction, ...model, definition, triggers: proposedTriggers, conversation },
        signal,
      );
      const { definition: proposed, triggers, exampleInput, summary, problems, usage } = proposal;
      const drawn = proposed && (await arrangeProposal(before, proposed, catalogue, false));
      if (signal.aborted) return;
      const answer = summary.slice(0, MAX_INSTRUCTION_LENGTH) || '(no words)';
      turns.current = [...turns.current, { role: 'user', text: instruction }, { role: 'assistant', text: answer }];
      const shown = { instruction, summary, problems, triggers, exampleInput, usage };
      const result = { ...shown, before, proposed, drawn, isWhole: false };
      setState({ ...INITIAL_PROPOSAL, result });
    } catch (error) {
      if (!signal.aborted) setState((now) => ({ ...now, progress: undefined, error: proposalErrorText(error) }));
    }
  };

  return {
    ...state,
    send,
    stop() {
      running.current?.abort();
      setState((now) => ({ ...now, progress: undefined }));
    },
    async arrange(isWhole: boolean) {
      const { result } = state;
      if (!result?.proposed) return;
      const next = { ...result, isWhole };
      const put = (before: ProposalResult, after: ProposalResult) =>
        setState((now) => (now.result === before ? { ...now, result: after } : now));
      put(result, next);
      const drawn = await arrangeProposal(result.before, result.proposed, catalogue, isWhole);
      put(next, { ...next, drawn });
    },
  };
}
