import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { PartialRunItems } from '../run/PartialRunItems';
import { usePartialRuns } from '../run/usePartialRuns';

/** Runs one node, the workflow up to it, or the workflow from it on. */
export function PartialRunButtons({ nodeId }: { nodeId: string }) {
  const runs = usePartialRuns(nodeId);
  if (!runs.isPossible) return null;
  return (
    <Button.Group>
      <PermittedButton to="workflow:execute">
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          loading={runs.isStarting}
          onClick={runs.node}
        >
          Run this node
        </Button>
      </PermittedButton>
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
          <PartialRunItems runs={runs} />
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
