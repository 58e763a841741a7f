import { BaseEdge, getBezierPath, type EdgeProps } from '@xyflow/react';
import { createContext, memo, use } from 'react';
import type { Connection } from '@/contract/workflows/workflow';
import type { FlowEdge } from '@/components/graph/flow';
import { useFlow, useItemCount } from './marks';
import classes from './ConnectionEdge.module.css';

/** Handler of the plus button on a connection. Undefined: no button is shown. */
export const InsertContext = createContext<((connection: Connection) => void) | undefined>(undefined);

export const ConnectionEdge = memo(function ConnectionEdge(props: EdgeProps<FlowEdge>) {
  const connection = props.data?.connection;
  const flow = useFlow(connection);
  const count = useItemCount(connection);
  const onInsert = use(InsertContext);
  const [path, x, y] = getBezierPath({ ...props, curvature: 0.35 });
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
