import { Menu } from '@mantine/core';
import {
  IconArrowBarRight,
  IconArrowBarToRight,
  IconHistory,
  IconPlayerPlay,
  IconRepeatOnce,
} from '@tabler/icons-react';
import type { usePartialRuns } from './usePartialRuns';

/** Menu items for partial runs at a node; `hasNode` adds the item for the node alone. */
export function PartialRunItems({
  runs,
  hasNode = false,
}: {
  runs: ReturnType<typeof usePartialRuns>;
  hasNode?: boolean;
}) {
  const { node, upTo, onward, runsForEach, firstItem } = runs;
  return (
    <>
      {hasNode && (
        <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={node}>
          Run this node
        </Menu.Item>
      )}
      {runsForEach && (
        <Menu.Item leftSection={<IconRepeatOnce size={16} aria-hidden />} disabled={!firstItem} onClick={firstItem}>
          Run for the first item
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconArrowBarToRight size={16} aria-hidden />} onClick={upTo}>
        Run to here
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowBarRight size={16} aria-hidden />}
        disabled={!onward}
        onClick={() => onward?.(true)}
      >
        Run from here
      </Menu.Item>
      <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} disabled={!onward} onClick={() => onward?.(false)}>
        Run from here with the version of the last run
      </Menu.Item>
    </>
  );
}
