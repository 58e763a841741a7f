import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Handle, Position, type NodeProps } from '@xyflow/react';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { memo, use, useState } from 'react';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { AnnotationContext } from './annotation-actions';
import { AnnotationTools } from './AnnotationTools';
import { askForGroupName, isAwaitingGroupName } from './group-naming';
import type { GroupFrameItem } from '@/components/graph/canvas-items';
import { useGroupStatus } from '../canvas-badges';
import classes from './Annotations.module.css';

/** A group: a frame around its nodes, moved by its header. Collapsed, it is one card. */
export const GroupFrame = memo(function GroupFrame({ id, data: { group }, selected }: NodeProps<GroupFrameItem>) {
  const annotating = use(AnnotationContext);
  const status = useGroupStatus(group.nodeIds);
  const [isNaming, setNaming] = useState(() => isAwaitingGroupName(id));
  const { name, nodeIds, isCollapsed = false, color = 'gray' } = group;
  const Chevron = isCollapsed ? IconChevronRight : IconChevronDown;
  const toggle = isCollapsed ? 'Expand' : 'Collapse';
  return (
    <div
      className={classes.frame}
      data-color={color}
      data-collapsed={isCollapsed || undefined}
      data-selected={selected || undefined}
    >
      {annotating && selected && (
        <AnnotationTools
          renameLabel="Rename"
          color={color}
          onRename={() => setNaming(true)}
          onColor={(next) => annotating.changeGroup(id, { color: next })}
        />
      )}
      {isCollapsed && <Handle id="input" type="target" position={Position.Left} isConnectable={false} />}
      <div className={classes.head} onDoubleClick={() => setNaming(true)}>
        {annotating && (
          <LightTooltip label={`${toggle} the group`}>
            <ActionIcon
              className="nodrag"
              size={24}
              aria-label={`${toggle} ${name || 'the group'}`}
              aria-expanded={!isCollapsed}
              onClick={() => annotating.changeGroup(id, { isCollapsed: isCollapsed ? undefined : true })}
            >
              <Chevron size={16} aria-hidden />
            </ActionIcon>
          </LightTooltip>
        )}
        {annotating && isNaming ? (
          <input
            className={`${classes.naming} nodrag`}
            aria-label="Name of the group"
            autoFocus
            maxLength={200}
            defaultValue={name}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => annotating.changeGroup(id, { name: event.currentTarget.value })}
            onBlur={() => {
              askForGroupName(undefined);
              setNaming(false);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
              event.stopPropagation();
            }}
          />
        ) : (
          <span className={classes.name}>{name || 'Group'}</span>
        )}
        <span className={classes.count}>{nodeIds.length === 1 ? '1 node' : `${nodeIds.length} nodes`}</span>
        {isCollapsed && status && <StatusBadge look={RUN_STATUS_STYLE[status]} size="sm" />}
      </div>
      {isCollapsed && <Handle id="output" type="source" position={Position.Right} isConnectable={false} />}
    </div>
  );
});
