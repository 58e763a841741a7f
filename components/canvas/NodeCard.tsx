import { ActionIcon } from '@mantine/core';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconChevronRight,
  IconPinFilled,
  IconRepeat,
  IconUnlink,
} from '@tabler/icons-react';
import { Handle, Position, type NodeProps } from '@xyflow/react';
import { memo, use } from 'react';
import { RunningDuration } from '@/components/ui/values/RunningDuration';
import { EXAMPLE_STYLE, NOT_RUN_STYLE, PREVIEW_STYLE, RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import type { NodeCardItem } from '@/components/graph/cards-and-edges';
import {
  useBlockedReason,
  useNodeChangeBadge,
  useNodeIssues,
  useNodeReference,
  useNodeResult,
  useDisconnectedReason,
  useIsNodeNotRun,
  useIsNodePinned,
  useNodePreviewKind,
  useNodeWarnings,
} from './canvas-badges';
import { AgentAttachments } from './agents/AgentAttachments';
import { hasLoopBody } from '@/components/graph/drawn';
import { LoopFrameContext } from './loops/loop-frame-context';
import { ReferenceLink } from './run/ReferenceLink';
import { nodeReferenceSummary } from './run/reference-summary';
import classes from './NodeCard.module.css';
import { NodeIcon } from './NodeIcon';
import { OpenOutputButton } from './OpenOutputButton';
import { drawnNodeType, nodeSummary, nodeTitle, readNodeReference } from '@/components/graph/summary';
import { LightTooltip } from '@/components/ui/LightTooltip';

/** One node on the canvas: icon, name, summary of the config, ports, and status in the run shown. */
export const NodeCard = memo(function NodeCard({ id, data, selected }: NodeProps<NodeCardItem>) {
  const { node, kind, hasErrorPath } = data;
  const result = useNodeResult(id);
  const change = useNodeChangeBadge(id);
  const block = useBlockedReason(id);
  const title = nodeTitle(node, kind);
  const reference = useNodeReference(readNodeReference(node)?.id);
  const preview = useNodePreviewKind(id);
  const previewLook = preview === 'example' ? EXAMPLE_STYLE : preview && result && PREVIEW_STYLE[result.status];
  const look = previewLook ?? (result && RUN_STATUS_STYLE[result.status]);
  const isNotRun = useIsNodeNotRun(id);
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
        <NodeIcon kind={drawnNodeType(node, kind, reference?.icon)} />
        <div className={classes.words}>
          <div className={classes.title}>{title}</div>
          <div className={classes.summary} data-missing={reference?.name === null || undefined}>
            {reference ? nodeReferenceSummary(reference, title, node, kind) : nodeSummary(node, kind)}
          </div>
        </div>
        {hasLoopBody(node) && <OpenBodyButton id={id} title={title} />}
        {reference && <ReferenceLink reference={reference} />}
        {node.each && (
          <LightTooltip label="Runs for each item">
            <IconRepeat size={17} className={classes.each} aria-label="Runs for each item" />
          </LightTooltip>
        )}
        <NodeBadgeIcons id={id} />
      </div>
      <OutputHandles data={data} />
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
      {node.type === 'agent' && <AgentAttachments id={id} agent={node} title={title} />}
      {block && <span className={classes.reason}>{block}</span>}
      {node.disabled && <span className={classes.off}>off</span>}
      {change && <span className={classes.change}>{change}</span>}
      {look && result && (
        <div className={classes.run}>
          <StatusBadge look={look} size="sm" />
          <span className={classes.time}>
            <RunningDuration {...result} isTicking={result.status === 'running'} />
          </span>
        </div>
      )}
      {!result && isNotRun && (
        <div className={classes.run}>
          <StatusBadge look={NOT_RUN_STYLE} size="sm" />
        </div>
      )}
    </div>
  );
});

/** Opens the frame with the body of a loop. */
function OpenBodyButton({ id, title }: { id: string; title: string }) {
  const loops = use(LoopFrameContext);
  if (!loops) return null;
  return (
    <LightTooltip label="Open the body here">
      <ActionIcon
        className="nodrag nopan"
        size={24}
        aria-label={`Open the body of ${title} here`}
        aria-expanded={false}
        onClick={(event) => {
          event.stopPropagation();
          loops.onToggle(id);
        }}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </LightTooltip>
  );
}

/** Icons with tooltips for the problems, warnings and pinned output of a node. */
function NodeBadgeIcons({ id }: { id: string }) {
  const issues = useNodeIssues(id);
  const disconnected = useDisconnectedReason(id);
  const warnings = useNodeWarnings(id);
  const isPinned = useIsNodePinned(id);
  return (
    <>
      {issues && (
        <LightTooltip label={issues.join(' · ')}>
          <IconAlertCircle size={18} className={classes.issue} aria-label={`Problems: ${issues.join(' · ')}`} />
        </LightTooltip>
      )}
      {warnings && !issues && (
        <LightTooltip label={warnings.join(' ')}>
          <IconAlertTriangle size={17} className={classes.warning} aria-label={warnings.join(' ')} />
        </LightTooltip>
      )}
      {isPinned && (
        <LightTooltip label="Its output is pinned">
          <IconPinFilled size={16} className={classes.pinned} aria-label="Its output is pinned" />
        </LightTooltip>
      )}
      {disconnected && !issues && !warnings && (
        <LightTooltip label={disconnected}>
          <IconUnlink size={17} className={classes.disconnected} aria-label={disconnected} />
        </LightTooltip>
      )}
    </>
  );
}

/** The output ports: a single one at the head of the card, several in lines below it. */
function OutputHandles({ data: { node, outputs, openOutputs } }: { data: NodeCardItem['data'] }) {
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
          <OpenOutputButton node={node} port={only} index={0} />
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
            {openOutputs.includes(port) && <OpenOutputButton node={node} port={port} index={index} />}
          </div>
        ))}
    </>
  );
}
