import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';
import { Permitted } from '@/components/ui/Permitted';
import { PartRunItems } from '../run/PartRunItems';
import { usePartRuns } from '../run/usePartRuns';

/** Runs one node, the workflow up to it, or the workflow from it on. */
export function NodeRuns({ nodeId }: { nodeId: string }) {
  const runs = usePartRuns(nodeId);
  if (!runs.isPossible) return null;
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
            aria-label="Partial runs"
            style={{ borderStartStartRadius: 0, borderEndStartRadius: 0, borderLeft: '1px solid var(--weft-line)' }}
          >
            <IconChevronDown size={14} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <PartRunItems runs={runs} />
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
