import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconArrowBarRight,
  IconArrowBarToRight,
  IconChevronDown,
  IconHistory,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { Permitted } from '../shell/Permitted';
import { usePartRuns } from './usePartRuns';

/** Runs one node, or the workflow up to it, or on from it. */
export function NodeRuns({ nodeId }: { nodeId: string }) {
  const runs = usePartRuns(nodeId);
  if (!runs.isPossible) return null;
  const { onward } = runs;
  return (
    <Button.Group>
      <Permitted to="workflow:execute">
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          loading={runs.isStarting}
          onClick={runs.node}
        >
          Run this node
        </Button>
      </Permitted>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="light"
            color="woad"
            size={26}
            aria-label="Run a part"
            style={{ borderStartStartRadius: 0, borderEndStartRadius: 0, borderLeft: '1px solid var(--weft-line)' }}
          >
            <IconChevronDown size={14} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconArrowBarToRight size={16} aria-hidden />} onClick={runs.upTo}>
            Run to here
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowBarRight size={16} aria-hidden />}
            disabled={!onward}
            onClick={() => onward?.(true)}
          >
            Run from here
          </Menu.Item>
          <Menu.Item
            leftSection={<IconHistory size={16} aria-hidden />}
            disabled={!onward}
            onClick={() => onward?.(false)}
          >
            Run from here, as it was in the last run
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
