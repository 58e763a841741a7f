import { UnstyledButton } from '@mantine/core';
import type { NodeResult } from '@/contract/execution';
import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { nodeTitle } from '@/components/graph/summary';
import { nodeOf } from '@/components/graph/agent';
import { bodyAt } from '@/components/graph/body';
import { Duration } from '@/components/ui/values/Duration';
import { RUN_LOOK } from '@/components/ui/states/status';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { inOrder } from '../live';
import { LoopRounds } from './LoopRounds';
import { outerResults, roundsIn } from './rounds';
import classes from './StepList.module.css';

export interface StepListProps {
  results: NodeResult[];
  definition: Definition;
  catalogue: Catalogue;
  /** Prefix of the result ids: `each[2].`. */
  prefix?: string;
  /** Id of the result that is shown beside the list. */
  currentId?: string;
  onSelect(resultId: string): void;
}

/** Nodes of a run by start time; inside loops, one round at a time. */
export function StepList({ results, definition, catalogue, prefix = '', currentId, onSelect }: StepListProps) {
  return (
    <ol className={classes.list}>
      {inOrder(outerResults(results)).map((result) => {
        const node = nodeOf(definition, result.nodeId);
        const kind = node && catalogue.get(node.type);
        const title = node ? nodeTitle(node, kind) : result.nodeId;
        const rounds = roundsIn(results, result.nodeId);
        return (
          <li key={result.nodeId}>
            <UnstyledButton
              className={classes.step}
              aria-current={prefix + result.nodeId === currentId || undefined}
              onClick={() => onSelect(prefix + result.nodeId)}
            >
              <NodeIcon kind={kind} size={28} />
              <span className={classes.title} title={prefix + result.nodeId}>
                {title}
              </span>
              <span className={classes.time}>
                <Duration {...result} isTicking={result.status === 'running'} />
              </span>
              <StatusBadge look={RUN_LOOK[result.status]} size="sm" />
            </UnstyledButton>
            {rounds.size > 0 && (
              <LoopRounds rounds={rounds} label={title}>
                {(inner, round) => (
                  <StepList
                    results={inner}
                    definition={bodyAt(definition, [result.nodeId])}
                    catalogue={catalogue}
                    prefix={`${prefix}${result.nodeId}[${round}].`}
                    currentId={currentId}
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
