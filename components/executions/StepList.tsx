import { UnstyledButton } from '@mantine/core';
import type { NodeResult } from '@/contract/execution';
import type { Definition } from '@/contract/workflow';
import type { Catalogue } from '../canvas/flow';
import { NodeIcon } from '../canvas/NodeIcon';
import { nodeTitle } from '../canvas/summary';
import { bodyAt } from '../editor/body';
import { Duration } from '../ui/Duration';
import { RUN_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import { inOrder } from './live';
import { LoopRounds } from './LoopRounds';
import { outerResults, roundsIn } from './rounds';
import classes from './StepList.module.css';

export interface StepListProps {
  results: NodeResult[];
  definition: Definition;
  catalogue: Catalogue;
  /** Where these results are, in front of their ids: `each[2].`. */
  prefix?: string;
  onSelect(resultId: string): void;
}

/** Nodes of a run in the order in which they began; in loops, those of one round at a time. */
export function StepList({ results, definition, catalogue, prefix = '', onSelect }: StepListProps) {
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  return (
    <ol className={classes.list}>
      {inOrder(outerResults(results)).map((result) => {
        const node = nodes.get(result.nodeId);
        const kind = node && catalogue.get(node.type);
        const rounds = roundsIn(results, result.nodeId);
        return (
          <li key={result.nodeId}>
            <UnstyledButton className={classes.step} onClick={() => onSelect(prefix + result.nodeId)}>
              <NodeIcon kind={kind} size={28} />
              <span className={classes.title}>{node ? nodeTitle(node, kind) : result.nodeId}</span>
              <span className={classes.time}>
                <Duration {...result} isTicking={result.status === 'running'} />
              </span>
              <StatusBadge look={RUN_LOOK[result.status]} size="sm" />
            </UnstyledButton>
            {rounds.size > 0 && (
              <LoopRounds rounds={rounds} label={result.nodeId}>
                {(inner, round) => (
                  <StepList
                    results={inner}
                    definition={bodyAt(definition, [result.nodeId])}
                    catalogue={catalogue}
                    prefix={`${prefix}${result.nodeId}[${round}].`}
                    onSelect={onSelect}
                  />
                )}
              </LoopRounds>
            )}
          </li>
        );
      })}
    </ol>
  );
}
