import { ActionIcon } from '@mantine/core';
import { IconCopy, IconDots, IconPlayerPlay, IconPower, IconTrash, type Icon } from '@tabler/icons-react';
import { NodeToolbar, Position } from '@xyflow/react';
import type { MouseEvent } from 'react';
import { useCan } from '@/components/client/useCan';
import { Hint } from '@/components/ui/Hint';
import { shown, useDraft, useDraftStore } from '../draft/draft';
import { usePartRuns } from '../run/usePartRuns';
import type { HoverToolsProps } from './HoverTools';
import classes from './NodeTools.module.css';

interface Tool {
  label: string;
  icon: Icon;
  run(event: MouseEvent): void;
  isBusy?: boolean;
}

/** Small buttons above a node. All of their actions have a key and stand in the context menu too. */
export function NodeTools({ nodeId, onCommand, onMore }: HoverToolsProps & { nodeId: string }) {
  const store = useDraftStore();
  const node = useDraft((draft) => shown(draft).nodes.find(({ id }) => id === nodeId));
  const runs = usePartRuns(nodeId);
  const can = useCan();
  if (!node) return null;
  /** Commands apply to the selection, which is kept for those that leave the nodes in place. */
  const command = (id: string, isKept: boolean) => () => {
    const before = store.get().selectedIds.filter((other) => isKept || other !== nodeId);
    store.set({ selectedIds: [nodeId] });
    onCommand(id);
    if (id !== 'duplicate') store.set({ selectedIds: before });
  };
  const run: Tool = {
    label: 'Run only this node',
    icon: IconPlayerPlay,
    isBusy: runs.isStarting,
    run: () => {
      store.set({ selectedIds: [nodeId] });
      runs.node();
    },
  };
  const tools: Tool[] = [
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
          <Hint key={label} label={label}>
            <ActionIcon size={26} tabIndex={-1} aria-label={label} loading={isBusy} onClick={act}>
              <Drawing size={15} aria-hidden />
            </ActionIcon>
          </Hint>
        ))}
      </div>
    </NodeToolbar>
  );
}
