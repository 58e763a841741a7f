import { createContext, use } from 'react';
import type { FieldError } from '@/contract/error';
import type { NodeResult } from '@/contract/execution';
import { createStore, useStore, type Store } from '../client/store';
import type { Change } from './compare';

/** What is shown on the nodes beside their definition. Each card watches its own entry alone. */
export interface Marks {
  results: ReadonlyMap<string, NodeResult>;
  issues: ReadonlyMap<string, FieldError[]>;
  /** How nodes differ from another version. */
  changes: ReadonlyMap<string, Change>;
  /** While a connection is drawn: the nodes that it can't lead to. */
  blocked: ReadonlySet<string>;
}

export const NO_MARKS: Marks = { results: new Map(), issues: new Map(), changes: new Map(), blocked: new Set() };

export const MarksContext = createContext<Store<Marks>>(createStore(NO_MARKS));

export const useNodeResult = (id: string) => useStore(use(MarksContext), (marks) => marks.results.get(id));
export const useNodeIssues = (id: string) => useStore(use(MarksContext), (marks) => marks.issues.get(id));
export const useNodeChange = (id: string) => useStore(use(MarksContext), (marks) => marks.changes.get(id));
export const useIsBlocked = (id: string) => useStore(use(MarksContext), (marks) => marks.blocked.has(id));

/** What a connection did in the run shown: nothing yet, delivered, or delivers to a node that is at work. */
export function useFlow(source: string, port: string, target: string): 'idle' | 'carried' | 'active' {
  return useStore(use(MarksContext), ({ results }) => {
    const from = results.get(source);
    const to = results.get(target)?.status;
    if (from?.port !== port || !to || to === 'skipped') return 'idle';
    return to === 'running' || to === 'paused' ? 'active' : 'carried';
  });
}
