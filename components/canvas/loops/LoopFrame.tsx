import { ActionIcon } from '@mantine/core';
import { IconArrowsMaximize, IconChevronDown } from '@tabler/icons-react';
import { Handle, Position, type NodeProps } from '@xyflow/react';
import { memo, use } from 'react';
import type { NodeCardItem } from '@/components/graph/cards-and-edges';
import { nodeTitle } from '@/components/graph/summary';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { useNodeResult } from '../canvas-badges';
import { NodeIcon } from '../NodeIcon';
import { LoopFrameContext } from './loop-frame-context';
import classes from './LoopFrame.module.css';

/** The height of the handles of a card, below the border of the frame. */
const HANDLE_PLACE = { top: 28.5 };

/** An open loop: a frame around the nodes of its body, moved by its head. */
export const LoopFrame = memo(function LoopFrame({ id, data: { node, kind }, selected }: NodeProps<NodeCardItem>) {
  const actions = use(LoopFrameContext);
  const result = useNodeResult(id);
  const look = result && RUN_STATUS_STYLE[result.status];
  const title = nodeTitle(node, kind);
  return (
    <div className={classes.loop} data-tone={look?.tone} data-selected={selected || undefined}>
      <Handle id="input" type="target" position={Position.Left} className={classes.handle} style={HANDLE_PLACE} />
      <div className={classes.head}>
        <LightTooltip label="Close the body">
          <ActionIcon
            className="nodrag nopan"
            size={24}
            aria-label={`Close the body of ${title}`}
            aria-expanded
            onClick={() => actions?.onToggle(id)}
          >
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
        </LightTooltip>
        <NodeIcon kind={kind} size={26} />
        <span className={classes.title}>{title}</span>
        {look && <StatusBadge look={look} size="sm" />}
        {actions?.onOpenAlone && (
          <LightTooltip label="Show the body alone">
            <ActionIcon
              className="nodrag nopan"
              size={24}
              aria-label={`Show the body of ${title} alone`}
              onClick={() => actions.onOpenAlone?.(id)}
            >
              <IconArrowsMaximize size={15} aria-hidden />
            </ActionIcon>
          </LightTooltip>
        )}
      </div>
      <div className={`${classes.tools} nodrag nopan nowheel`}>{actions?.renderTools(id)}</div>
      <Handle id="output" type="source" position={Position.Right} className={classes.handle} style={HANDLE_PLACE} />
      <Handle id="error" type="source" position={Position.Bottom} className={classes.handle} data-error />
    </div>
  );
});
