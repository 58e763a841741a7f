import { UnstyledButton } from '@mantine/core';
import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { hadNoItems } from '@/components/canvas/run/item-count';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { nodeTitle } from '@/components/graph/summary';
import { findResultNode } from '@/components/graph/agent';
import { definitionAtPath } from '@/components/graph/body';
import { RunningDuration } from '@/components/ui/values/RunningDuration';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { sortByStart } from '../live';
import { LoopRounds } from './LoopRounds';
import { resultsOutsideLoops, groupByRound } from './rounds';
import classes from './StepList.module.css';

export interface StepListProps {
  results: NodeResult[];
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
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
      {sortByStart(resultsOutsideLoops(results)).map((result) => {
        const node = findResultNode(definition, result.nodeId);
        const kind = node && catalogue.get(node.type);
        const title = node ? nodeTitle(node, kind) : result.nodeId;
        const rounds = groupByRound(results, result.nodeId);
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
                {hadNoItems(result) && <span className={classes.end}>no items: the branch ends here</span>}
              </span>
              <span className={classes.time}>
                <RunningDuration {...result} isTicking={result.status === 'running'} />
              </span>
              <StatusBadge look={RUN_STATUS_STYLE[result.status]} size="sm" />
            </UnstyledButton>
            {rounds.size > 0 && (
              <LoopRounds rounds={rounds} label={title}>
                {(inner, round) => (
                  <StepList
                    results={inner}
                    definition={definitionAtPath(definition, [result.nodeId])}
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
