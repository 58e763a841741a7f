import { Text, Tooltip, UnstyledButton } from '@mantine/core';
import { isFinalStatus } from '@/contract/states';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitle } from '@/components/graph/summary';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { formatDuration } from '@/components/ui/values/time-format';
import { useCurrentTime } from '@/components/ui/values/useCurrentTime';
import { sortByStart, indexNodeResults, type LiveRun } from '../live';
import { resultsOutsideLoops } from './rounds';
import { nodeDueTime, splitNodeTime, totalSpanTime, type NodeTimeSpan } from './spans';
import classes from './Timeline.module.css';

interface Props {
  execution: LiveRun;
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
  /** The selected node. */
  selectedId?: string;
  onSelect(nodeId: string): void;
}

/** `worked 3 ms, waited 2 s, was due 1 s before` */
function describeNodeTimes(spans: readonly NodeTimeSpan[]): string {
  const [work, waiting, queued] = [
    totalSpanTime(spans, 'work'),
    totalSpanTime(spans, 'waiting'),
    totalSpanTime(spans, 'queued'),
  ];
  const parts = [
    ...(work > 0 || waiting === 0 ? [`worked ${formatDuration(work)}`] : []),
    ...(waiting > 0 ? [`waited ${formatDuration(waiting)}`] : []),
    ...(queued > 0 ? [`was due ${formatDuration(queued)} before`] : []),
  ];
  return parts.join(', ');
}

/** Gantt chart of the nodes of a run: when each was due, worked and waited. */
export function Timeline({ execution, definition, catalogue, selectedId, onSelect }: Props) {
  const now = useCurrentTime(500, !isFinalStatus(execution.status));
  const began = sortByStart(resultsOutsideLoops(execution.nodeResults)).filter(
    (result) => result.startedAt !== undefined,
  );
  const from = Math.min(...began.map(({ startedAt = '' }) => Date.parse(startedAt)), Date.parse(execution.startedAt));
  const to = Math.max(from + 1, execution.completedAt ? Date.parse(execution.completedAt) : now);
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  const results = indexNodeResults(execution);
  if (began.length === 0) return <Text size="sm">No node has started yet.</Text>;
  return (
    <ol className={classes.timeline} aria-label="Timeline">
      {began.map((result) => {
        const node = nodes.get(result.nodeId);
        const due = nodeDueTime(result.nodeId, results, definition.connections);
        const spans = splitNodeTime(result, node?.type, due, to);
        const { nodeId, status, startedAt = '' } = result;
        const title = node ? nodeTitle(node, catalogue.get(node.type)) : nodeId;
        return (
          <li key={nodeId}>
            <Tooltip
              label={`${title}: started after ${formatDuration(Date.parse(startedAt) - from)}, ${describeNodeTimes(spans)}`}
            >
              <UnstyledButton
                className={classes.row}
                aria-current={nodeId === selectedId || undefined}
                onClick={() => onSelect(nodeId)}
              >
                <span className={classes.title}>{title}</span>
                <span className={classes.track}>
                  {spans.map((span) => (
                    <span
                      key={span.from}
                      className={classes.bar}
                      data-kind={span.kind}
                      data-tone={span.kind === 'queued' ? 'idle' : RUN_STATUS_STYLE[status].tone}
                      style={{
                        left: `${((span.from - from) / (to - from)) * 100}%`,
                        width: `max(3px, ${((span.to - span.from) / (to - from)) * 100}%)`,
                      }}
                    />
                  ))}
                </span>
              </UnstyledButton>
            </Tooltip>
          </li>
        );
      })}
      <li className={classes.scale}>
        <span>0</span>
        <span>{formatDuration(to - from)}</span>
      </li>
      <li className={classes.legend}>
        <span className={classes.key} data-kind="work" /> Work
        <span className={classes.key} data-kind="waiting" /> Waiting
        <span className={classes.key} data-kind="queued" /> Due, not started
      </li>
    </ol>
  );
}
