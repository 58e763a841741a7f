import { ActionIcon } from '@mantine/core';
import { IconCopy, IconDots, IconPlayerPlay, IconPower, IconTrash, type Icon } from '@tabler/icons-react';
import { NodeToolbar, Position } from '@xyflow/react';
import type { MouseEvent } from 'react';
import { usePermissions } from '@/components/client/usePermissions';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { canvasDefinition, useDraft, useDraftStore } from '../draft/draft';
import { usePartialRuns } from '../run/usePartialRuns';
import classes from './NodeTools.module.css';

export interface NodeToolsProps {
  /** Runs a command of the editor, which applies to the selection. */
  onCommand(id: string): void;
  onMore(event: MouseEvent, nodeId: string): void;
}

interface NodeToolButton {
  label: string;
  icon: Icon;
  run(event: MouseEvent): void;
  isBusy?: boolean;
}

/** Small buttons above a node. All of their actions have a key and stand in the context menu too. */
export function NodeTools({ nodeId, onCommand, onMore }: NodeToolsProps & { nodeId: string }) {
  const store = useDraftStore();
  const node = useDraft((draft) => canvasDefinition(draft).nodes.find(({ id }) => id === nodeId));
  const runs = usePartialRuns(nodeId);
  const can = usePermissions();
  if (!node) return null;
  /** Commands apply to the selection, which is kept for those that leave the nodes in place. */
  const command = (id: string, isKept: boolean) => () => {
    const before = store.get().selectedIds.filter((other) => isKept || other !== nodeId);
    store.set({ selectedIds: [nodeId] });
    onCommand(id);
    if (id !== 'duplicate') store.set({ selectedIds: before });
  };
  const run: NodeToolButton = {
    label: 'Run only this node',
    icon: IconPlayerPlay,
    isBusy: runs.isStarting,
    run: () => {
      store.set({ selectedIds: [nodeId] });
      runs.node();
    },
  };
  const tools: NodeToolButton[] = [
    ...(runs.isPossible && can('workflow:execute') !== 'none' ? [run] : []),
    { label: node.disabled ? 'Enable this node' : 'Disable this node', icon: IconPower, run: command('disable', true) },
    { label: 'Duplicate this node', icon: IconCopy, run: command('duplicate', true) },
    { label: 'Delete this node', icon: IconTrash, run: command('delete', false) },
    { label: 'All actions of this node', icon: IconDots, run: (event) => onMore(event, nodeId) },
  ];
  return (
    <NodeToolbar nodeId={nodeId} isVisible position={Position.Top} align="end" offset={14} className={classes.place}>
      <div className={classes.tools} role="toolbar" aria-label="Tools of the node" data-node-tools>
        {tools.map(({ label, icon: Drawing, run: act, isBusy }) => (
          <LightTooltip key={label} label={label}>
            <ActionIcon size={26} tabIndex={-1} aria-label={label} loading={isBusy} onClick={act}>
              <Drawing size={15} aria-hidden />
            </ActionIcon>
          </LightTooltip>
        ))}
      </div>
    </NodeToolbar>
  );
}
