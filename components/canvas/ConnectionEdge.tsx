import { BaseEdge, getBezierPath, type EdgeProps } from '@xyflow/react';
import { createContext, memo, use } from 'react';
import type { Connection } from '@/contract/workflows/workflow';
import type { FlowEdge } from '@/components/graph/flow';
import { curvesOf, middleOf, pathOf } from '@/components/graph/layout/curve';
import { useFlow, useItemCount } from './marks';
import classes from './ConnectionEdge.module.css';

/** Handler of the plus button on a connection. Undefined: no button is shown. */
export const InsertContext = createContext<((connection: Connection) => void) | undefined>(undefined);

export const ConnectionEdge = memo(function ConnectionEdge(props: EdgeProps<FlowEdge>) {
  const connection = props.data?.connection;
  const flow = useFlow(connection);
  const count = useItemCount(connection);
  const onInsert = use(InsertContext);
  const [path, x, y] = drawnPath(props);
  const isError = connection?.sourcePort === 'error';
  return (
    <g
      className={classes.edge}
      data-flow={flow}
      data-selected={props.selected || undefined}
      data-error={isError || undefined}
    >
      <BaseEdge id={props.id} path={path} interactionWidth={22} />
      {count !== undefined && (
        <text className={classes.count} x={x} y={y - 9}>
          {count === 1 ? '1 item' : `${count} items`}
        </text>
      )}
      {onInsert && connection && (
        // The keyboard equivalent is N with a node selected.
        <g
          className={classes.plus}
          transform={`translate(${x} ${y})`}
          role="img"
          aria-label="Insert a node"
          onClick={(event) => {
            event.stopPropagation();
            onInsert(connection);
          }}
        >
          <circle r={10} />
          <path d="M-4 0h8M0 -4v8" />
        </g>
      )}
    </g>
  );
});

/** How far a handle may stand from the end that a way was computed for; further, the card has been dragged. */
const MOVED = 12;

/** The path and its middle: around cards if there is a way for these ends, otherwise direct. */
function drawnPath(props: EdgeProps<FlowEdge>): readonly [path: string, x: number, y: number] {
  const { sourceX, sourceY, targetX, targetY, data } = props;
  const { ends, way } = data?.route ?? {};
  const distances = ends && [ends.from.x - sourceX, ends.from.y - sourceY, ends.to.x - targetX, ends.to.y - targetY];
  if (!ends || !way || distances?.some((distance) => Math.abs(distance) > MOVED)) {
    const [path, x, y] = getBezierPath({ ...props, curvature: 0.35 });
    return [path, x, y];
  }
  const [from, to] = [
    { x: sourceX, y: sourceY },
    { x: targetX, y: targetY },
  ];
  const curves = curvesOf({ ...ends, from, to }, way);
  const { x, y } = middleOf(curves);
  return [pathOf(curves), x, y];
}
