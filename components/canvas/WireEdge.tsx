import { BaseEdge, getBezierPath, type EdgeProps } from '@xyflow/react';
import { createContext, memo, use } from 'react';
import type { Connection } from '@/contract/workflow';
import type { Wire } from './flow';
import { useFlow, useItemCount } from './marks';
import classes from './WireEdge.module.css';

/** What the plus on a connection does. None: there is no plus. */
export const InsertContext = createContext<((wire: Connection) => void) | undefined>(undefined);

export const WireEdge = memo(function WireEdge(props: EdgeProps<Wire>) {
  const connection = props.data?.connection;
  const flow = useFlow(connection);
  const count = useItemCount(connection);
  const onInsert = use(InsertContext);
  const [path, x, y] = getBezierPath({ ...props, curvature: 0.35 });
  const isError = connection?.sourcePort === 'error';
  return (
    <g
      className={classes.wire}
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
        // With N and a selected node, the same is done by key.
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
