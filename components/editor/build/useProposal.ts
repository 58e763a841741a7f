import { useEffect, useRef, useState } from 'react';
import type { FieldError } from '@/contract/error';
import type { Proposal, ProposalEvent } from '@/contract/workflows/proposal-event';
import { MAX_INSTRUCTION, MAX_TURNS } from '@/contract/workflows/proposal-event';
import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { request, RequestRefused } from '@/components/client/request';
import { serverEvents } from '@/components/client/server-events';
import { useDraftStore } from '../draft/draft';
import { arranged } from './arrange';

interface Turn {
  role: 'user' | 'assistant';
  text: string;
}

/** What came of an instruction. */
export interface Result {
  instruction: string;
  summary: string;
  problems: FieldError[];
  usage: Proposal['usage'];
  /** What was on the canvas. */
  before: Definition;
  /** As the model proposes it, with the places of the service; null: it proposes none. */
  proposed: Definition | null;
  /** As it is drawn. */
  drawn: Definition | null;
  /** All nodes are arranged anew. */
  isWhole: boolean;
}

interface State {
  /** What the model does, sentence by sentence; undefined: it does nothing. */
  progress: string[] | undefined;
  instruction: string;
  error: string | undefined;
  result: Result | undefined;
}

const AT_FIRST: State = { progress: undefined, instruction: '', error: undefined, result: undefined };
const LOST = 'The connection was lost. Try again.';

const sentenceOf = (error: unknown): string =>
  error instanceof RequestRefused
    ? error.message
    : 'The service can’t be reached. Check your connection and try again.';

/** Lets a model propose changes of the workflow, and keeps the conversation while the dialog is open. */
export function useProposal(catalogue: Catalogue) {
  const store = useDraftStore();
  const [state, setState] = useState(AT_FIRST);
  const running = useRef<AbortController>(undefined);
  const turns = useRef<Turn[]>([]);
  useEffect(() => () => running.current?.abort(), []);

  /** The result of a stream of events. Throws RequestRefused and TypeError. */
  const follow = async (body: object, signal: AbortSignal): Promise<Proposal> => {
    const { id } = store.get().saved;
    const headers = { 'content-type': 'application/json' };
    const answer = await request(`/api/workflows/${id}/proposals`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    });
    if (!answer.body) throw new TypeError('The answer is empty.');
    for await (const { event, data } of serverEvents<ProposalEvent>(answer.body)) {
      if (event === 'progress') setState((now) => ({ ...now, progress: [...(now.progress ?? []), data.text] }));
      if (event === 'error') throw new RequestRefused(data.message, 200);
      if (event === 'proposal') return data;
    }
    throw new RequestRefused(LOST, 200);
  };

  const send = async (instruction: string, model: { credentialId: string; model: string }) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    const before = store.get().definition;
    setState((now) => ({ ...now, progress: [], instruction, error: undefined }));
    // A further instruction is about what the model has proposed.
    const definition = state.result?.proposed ?? before;
    const conversation = turns.current.slice(-MAX_TURNS);
    try {
      const proposal = await follow({ instruction, ...model, definition, conversation }, signal);
      const { definition: proposed, summary, problems, usage } = proposal;
      const drawn = proposed && (await arranged(before, proposed, catalogue, false));
      if (signal.aborted) return;
      const answer = summary.slice(0, MAX_INSTRUCTION) || '(no words)';
      turns.current = [...turns.current, { role: 'user', text: instruction }, { role: 'assistant', text: answer }];
      const result = { instruction, summary, problems, usage, before, proposed, drawn, isWhole: false };
      setState({ ...AT_FIRST, result });
    } catch (error) {
      if (!signal.aborted) setState((now) => ({ ...now, progress: undefined, error: sentenceOf(error) }));
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
      const put = (before: Result, after: Result) =>
        setState((now) => (now.result === before ? { ...now, result: after } : now));
      put(result, next);
      const drawn = await arranged(result.before, result.proposed, catalogue, isWhole);
      put(next, { ...next, drawn });
    },
  };
}
