import { Text, Tooltip, UnstyledButton } from '@mantine/core';
import { isFinal } from '@/contract/states';
import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { nodeTitle } from '@/components/graph/summary';
import { RUN_LOOK } from '@/components/ui/states/status';
import { duration } from '@/components/ui/values/time';
import { useNow } from '@/components/ui/values/useNow';
import { inOrder, resultsOf, type Run } from '../live';
import { outerResults } from './rounds';
import { dueAt, spansOf, timeOf, type Span } from './spans';
import classes from './Timeline.module.css';

interface Props {
  execution: Run;
  definition: Definition;
  catalogue: Catalogue;
  /** The selected node. */
  selectedId?: string;
  onSelect(nodeId: string): void;
}

/** `worked 3 ms, waited 2 s, was due 1 s before` */
function timesOf(spans: readonly Span[]): string {
  const [work, waiting, queued] = [timeOf(spans, 'work'), timeOf(spans, 'waiting'), timeOf(spans, 'queued')];
  const parts = [
    ...(work > 0 || waiting === 0 ? [`worked ${duration(work)}`] : []),
    ...(waiting > 0 ? [`waited ${duration(waiting)}`] : []),
    ...(queued > 0 ? [`was due ${duration(queued)} before`] : []),
  ];
  return parts.join(', ');
}

/** Gantt chart of the nodes of a run: when each was due, worked and waited. */
export function Timeline({ execution, definition, catalogue, selectedId, onSelect }: Props) {
  const now = useNow(500, !isFinal(execution.status));
  const began = inOrder(outerResults(execution.nodeResults)).filter((result) => result.startedAt !== undefined);
  const from = Math.min(...began.map(({ startedAt = '' }) => Date.parse(startedAt)), Date.parse(execution.startedAt));
  const to = Math.max(from + 1, execution.completedAt ? Date.parse(execution.completedAt) : now);
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  const results = resultsOf(execution);
  if (began.length === 0) return <Text size="sm">No node has started yet.</Text>;
  return (
    <ol className={classes.timeline} aria-label="Timeline">
      {began.map((result) => {
        const node = nodes.get(result.nodeId);
        const due = dueAt(result.nodeId, results, definition.connections);
        const spans = spansOf(result, node?.type, due, to);
        const { nodeId, status, startedAt = '' } = result;
        const title = node ? nodeTitle(node, catalogue.get(node.type)) : nodeId;
        return (
          <li key={nodeId}>
            <Tooltip label={`${title}: started after ${duration(Date.parse(startedAt) - from)}, ${timesOf(spans)}`}>
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
                      data-tone={span.kind === 'queued' ? 'idle' : RUN_LOOK[status].tone}
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
        <span>{duration(to - from)}</span>
      </li>
      <li className={classes.legend}>
        <span className={classes.key} data-kind="work" /> Work
        <span className={classes.key} data-kind="waiting" /> Waiting
        <span className={classes.key} data-kind="queued" /> Due, not started
      </li>
    </ol>
  );
}
