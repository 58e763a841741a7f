import { IconAlertCircle, IconAlertTriangle, IconPinFilled, IconUnlink } from '@tabler/icons-react';
import { Handle, Position, type NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { Duration } from '@/components/ui/values/Duration';
import { RUN_LOOK } from '@/components/ui/states/status';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import type { Card } from '@/components/graph/flow';
import {
  useBlock,
  useNodeChange,
  useNodeIssues,
  useReference,
  useNodeResult,
  useDisconnected,
  useIsPinned,
  useWarnings,
} from './marks';
import { ReferenceLink, referenceSummary } from './run/ReferenceLink';
import classes from './NodeCard.module.css';
import { NodeIcon } from './NodeIcon';
import { OpenEnd } from './OpenEnd';
import { drawnKind, nodeSummary, nodeTitle, referenceOf } from '@/components/graph/summary';
import { Hint } from '@/components/ui/Hint';

/** One node on the canvas: icon, name, summary of the config, ports, and status in the run shown. */
export const NodeCard = memo(function NodeCard({ id, data, selected }: NodeProps<Card>) {
  const { node, kind, hasErrorPath } = data;
  const result = useNodeResult(id);
  const change = useNodeChange(id);
  const block = useBlock(id);
  const title = nodeTitle(node, kind);
  const reference = useReference(referenceOf(node)?.id);
  const look = result && RUN_LOOK[result.status];
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
        <NodeIcon kind={drawnKind(node, kind, reference?.icon)} />
        <div className={classes.words}>
          <div className={classes.title}>{title}</div>
          <div className={classes.summary} data-missing={reference?.name === null || undefined}>
            {reference ? referenceSummary(reference, title, node, kind) : nodeSummary(node, kind)}
          </div>
        </div>
        {reference && <ReferenceLink reference={reference} />}
        <Signs id={id} />
      </div>
      <Outputs data={data} />
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

/** Problems, warnings and pins of a node, as icons with words. */
function Signs({ id }: { id: string }) {
  const issues = useNodeIssues(id);
  const disconnected = useDisconnected(id);
  const warnings = useWarnings(id);
  const isPinned = useIsPinned(id);
  return (
    <>
      {issues && (
        <Hint label={issues.join(' · ')}>
          <IconAlertCircle size={18} className={classes.issue} aria-label={`Problems: ${issues.join(' · ')}`} />
        </Hint>
      )}
      {warnings && !issues && (
        <Hint label={warnings.join(' ')}>
          <IconAlertTriangle size={17} className={classes.warning} aria-label={warnings.join(' ')} />
        </Hint>
      )}
      {isPinned && (
        <Hint label="Its output is pinned">
          <IconPinFilled size={16} className={classes.pinned} aria-label="Its output is pinned" />
        </Hint>
      )}
      {disconnected && !issues && !warnings && (
        <Hint label={disconnected}>
          <IconUnlink size={17} className={classes.disconnected} aria-label={disconnected} />
        </Hint>
      )}
    </>
  );
}

/** The output ports: a single one at the head of the card, several in lines below it. */
function Outputs({ data: { node, outputs, openOutputs } }: { data: Card['data'] }) {
  const [only] = outputs.length === 1 ? outputs : [];
  return (
    <>
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
      {only && openOutputs.length > 0 && (
        <div className={classes.open}>
          <OpenEnd node={node} port={only} index={0} />
        </div>
      )}
      {!only &&
        outputs.map((port, index) => (
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
            {openOutputs.includes(port) && <OpenEnd node={node} port={port} index={index} />}
          </div>
        ))}
    </>
  );
}
