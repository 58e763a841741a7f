import { IconAlertCircle, IconUnlink } from '@tabler/icons-react';
import { Handle, Position, type NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { Duration } from '../ui/Duration';
import { RUN_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import type { Card } from './flow';
import { useBlock, useNodeChange, useNodeIssues, useNodeResult, useStray } from './marks';
import classes from './NodeCard.module.css';
import { NodeIcon } from './NodeIcon';
import { drawnKind, nodeSummary, nodeTitle } from './summary';
import { Hint } from '../ui/Hint';

/** One node on the canvas: what it is, what it is set to, its ports, and how it fares in the run shown. */
export const NodeCard = memo(function NodeCard({ id, data, selected }: NodeProps<Card>) {
  const { node, kind, outputs, hasErrorPath } = data;
  const result = useNodeResult(id);
  const issues = useNodeIssues(id);
  const change = useNodeChange(id);
  const block = useBlock(id);
  const stray = useStray(id);
  const look = result && RUN_LOOK[result.status];
  const [only] = outputs.length === 1 ? outputs : [];
  const inputs = kind?.ports.inputs ?? ['input'];
  return (
    <div
      className={classes.card}
      data-tone={look?.tone}
      data-status={result?.status}
      data-selected={selected || undefined}
      data-disabled={node.disabled || undefined}
      data-change={change}
      data-blocked={block && true}
    >
      {inputs.map((port) => (
        <Handle
          key={port}
          id={port}
          type="target"
          position={Position.Left}
          className={classes.input}
          role="img"
          aria-label={`${port} port`}
        />
      ))}
      <div className={classes.head}>
        <NodeIcon kind={drawnKind(node, kind)} />
        <div className={classes.words}>
          <div className={classes.title}>{nodeTitle(node, kind)}</div>
          <div className={classes.summary}>{nodeSummary(node, kind)}</div>
        </div>
        {issues && (
          <Hint label={issues.map((issue) => issue.message).join(' · ')}>
            <IconAlertCircle size={18} className={classes.issue} aria-label="Has problems" />
          </Hint>
        )}
        {stray && !issues && (
          <Hint label={stray}>
            <IconUnlink size={17} className={classes.stray} aria-label={stray} />
          </Hint>
        )}
      </div>
      {only && (
        <Handle
          id={only}
          type="source"
          position={Position.Right}
          className={classes.output}
          role="img"
          aria-label={`${only} port`}
        />
      )}
      {!only &&
        outputs.map((port) => (
          <div key={port} className={classes.port}>
            {port}
            <Handle
              id={port}
              type="source"
              position={Position.Right}
              className={classes.portHandle}
              role="img"
              aria-label={`${port} port`}
            />
          </div>
        ))}
      {(!kind || kind.ports.outputs.includes('error')) && (
        <div className={classes.error} data-connected={hasErrorPath || undefined}>
          <Handle
            id="error"
            type="source"
            position={Position.Bottom}
            className={classes.errorHandle}
            role="img"
            aria-label="error port"
          />
          <span>on error</span>
        </div>
      )}
      {block && <span className={classes.reason}>{block}</span>}
      {node.disabled && <span className={classes.off}>off</span>}
      {change && <span className={classes.change}>{change}</span>}
      {look && result && (
        <div className={classes.run}>
          <StatusBadge look={look} size="sm" />
          <span className={classes.time}>
            <Duration {...result} isTicking={result.status === 'running'} />
          </span>
        </div>
      )}
    </div>
  );
});
