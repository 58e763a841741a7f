import { UnstyledButton } from '@mantine/core';
import type { Definition } from '@/contract/workflow';
import type { Catalogue } from '../canvas/flow';
import { NodeIcon } from '../canvas/NodeIcon';
import { nodeTitle } from '../canvas/summary';
import { Duration } from '../ui/Duration';
import { RUN_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import { inOrder, type Run } from './live';
import classes from './StepList.module.css';

interface Props {
  execution: Run;
  definition: Definition;
  catalogue: Catalogue;
  onSelect(nodeId: string): void;
}

/** The nodes of a run in the order in which they began. */
export function StepList({ execution, definition, catalogue, onSelect }: Props) {
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  return (
    <ol className={classes.list}>
      {inOrder(execution.nodeResults).map((result) => {
        const node = nodes.get(result.nodeId);
        const kind = node && catalogue.get(node.type);
        return (
          <li key={result.nodeId}>
            <UnstyledButton className={classes.step} onClick={() => onSelect(result.nodeId)}>
              <NodeIcon kind={kind} size={28} />
              <span className={classes.title}>{node ? nodeTitle(node, kind) : result.nodeId}</span>
              <span className={classes.time}>
                <Duration {...result} isTicking={result.status === 'running'} />
              </span>
              <StatusBadge look={RUN_LOOK[result.status]} size="sm" />
            </UnstyledButton>
          </li>
        );
      })}
    </ol>
  );
}
