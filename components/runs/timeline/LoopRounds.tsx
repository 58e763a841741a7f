import { useState, type ReactNode } from 'react';
import type { NodeResult } from '@/contract/execution';
import { RoundPicker } from './RoundPicker';
import { defaultRound } from './rounds';
import classes from './StepList.module.css';

interface Props {
  rounds: Map<number, NodeResult[]>;
  label: string;
  /** The word for a round. */
  noun?: 'Round' | 'Item';
  /** The chosen round, if it is kept outside; otherwise it is kept here. */
  value?: number | undefined;
  onChange?(round: number): void;
  children(results: NodeResult[], round: number): ReactNode;
}

/** One round of a loop with a picker. The default is the first failed round, otherwise the last. */
export function LoopRounds({ rounds, label, noun = 'Round', value, onChange, children }: Props) {
  const [chosen, setChosen] = useState<number>();
  const wanted = onChange ? value : chosen;
  const round = wanted !== undefined && rounds.has(wanted) ? wanted : defaultRound(rounds);
  return (
    <section className={classes.rounds} aria-label={`${noun}s of ${label}`}>
      <RoundPicker rounds={rounds} noun={noun} value={round} onChange={onChange ?? setChosen} />
      {round !== undefined && children(rounds.get(round) ?? [], round)}
    </section>
  );
}
