import { BaseEdge, getBezierPath, type EdgeProps } from '@xyflow/react';
import { memo } from 'react';
import type { Wire } from './flow';
import { useFlow } from './marks';
import classes from './WireEdge.module.css';

export const WireEdge = memo(function WireEdge(props: EdgeProps<Wire>) {
  const flow = useFlow(props.source, props.sourceHandleId ?? 'output', props.target);
  const [path] = getBezierPath({ ...props, curvature: 0.35 });
  const isError = props.sourceHandleId === 'error';
  return (
    <g
      className={classes.wire}
      data-flow={flow}
      data-selected={props.selected || undefined}
      data-error={isError || undefined}
    >
      <BaseEdge id={props.id} path={path} interactionWidth={22} />
    </g>
  );
});
