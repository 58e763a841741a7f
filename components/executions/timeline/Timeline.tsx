import { Text, Tooltip, UnstyledButton } from '@mantine/core';
import { isFinal } from '@/contract/states';
import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { nodeTitle } from '@/components/graph/summary';
import { RUN_LOOK } from '@/components/ui/states/status';
import { duration } from '@/components/ui/values/time';
import { useNow } from '@/components/ui/values/useNow';
import { inOrder, type Run } from '../live';
import { outerResults } from './rounds';
import classes from './Timeline.module.css';

interface Props {
  execution: Run;
  definition: Definition;
  catalogue: Catalogue;
  /** The selected node. */
  selectedId?: string;
  onSelect(nodeId: string): void;
}

/** Gantt chart of the nodes of a run. */
export function Timeline({ execution, definition, catalogue, selectedId, onSelect }: Props) {
  const now = useNow(500, !isFinal(execution.status));
  const began = inOrder(outerResults(execution.nodeResults)).filter((result) => result.startedAt !== undefined);
  const from = Math.min(...began.map(({ startedAt = '' }) => Date.parse(startedAt)), Date.parse(execution.startedAt));
  const to = Math.max(from + 1, execution.completedAt ? Date.parse(execution.completedAt) : now);
  if (began.length === 0) return <Text size="sm">No node has started yet.</Text>;
  return (
    <ol className={classes.timeline} aria-label="Timeline">
      {began.map(({ nodeId, startedAt = '', completedAt, status }) => {
        const start = Date.parse(startedAt);
        const end = completedAt ? Date.parse(completedAt) : to;
        const node = definition.nodes.find(({ id }) => id === nodeId);
        const title = node ? nodeTitle(node, catalogue.get(node.type)) : nodeId;
        return (
          <li key={nodeId}>
            <Tooltip label={`${title}: started after ${duration(start - from)}, took ${duration(end - start)}`}>
              <UnstyledButton
                className={classes.row}
                aria-current={nodeId === selectedId || undefined}
                onClick={() => onSelect(nodeId)}
              >
                <span className={classes.title}>{title}</span>
                <span className={classes.track}>
                  <span
                    className={classes.bar}
                    data-tone={RUN_LOOK[status].tone}
                    style={{
                      left: `${((start - from) / (to - from)) * 100}%`,
                      width: `max(3px, ${((end - start) / (to - from)) * 100}%)`,
                    }}
                  />
                </span>
              </UnstyledButton>
            </Tooltip>
          </li>
        );
      })}
      <li className={classes.scale}>
        <span>0</span>
        <span>{duration(to - from)}</span>
      </li>
    </ol>
  );
}
