import { createContext, use } from 'react';
import type { FieldError } from '@/contract/error';
import type { NodeResult } from '@/contract/execution';
import { createStore, useStore, type Store } from '../client/store';

/** What is shown on the nodes beside their definition. Each card watches its own entry alone. */
export interface Marks {
  results: ReadonlyMap<string, NodeResult>;
  issues: ReadonlyMap<string, FieldError[]>;
}

export const NO_MARKS: Marks = { results: new Map(), issues: new Map() };

export const MarksContext = createContext<Store<Marks>>(createStore(NO_MARKS));

export const useNodeResult = (id: string) => useStore(use(MarksContext), (marks) => marks.results.get(id));
export const useNodeIssues = (id: string) => useStore(use(MarksContext), (marks) => marks.issues.get(id));

/** What a connection did in the run shown: nothing yet, delivered, or delivers to a node that is at work. */
export function useFlow(source: string, port: string, target: string): 'idle' | 'carried' | 'active' {
  return useStore(use(MarksContext), ({ results }) => {
    const from = results.get(source);
    const to = results.get(target)?.status;
    if (from?.port !== port || !to || to === 'skipped') return 'idle';
    return to === 'running' || to === 'paused' ? 'active' : 'carried';
  });
}
