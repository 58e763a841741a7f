import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { usePermissions } from '@/components/client/usePermissions';
import type { LiveRun } from './live';
import { RerunDialog } from './RerunDialog';
import { useRerun } from './useRerun';

/**
 * Runs a finished run again: from the start, from the failed node, with the latest version, or with other input. Not
 * the run of a test.
 */
export function RerunMenu({ execution, onStarted }: { execution: LiveRun; onStarted(executionId: string): void }) {
  const [isEditing, setEditing] = useState(false);
  const can = usePermissions();
  const rerun = useRerun((id) => {
    setEditing(false);
    onStarted(id);
  });
  const start = (body: { fromNodeId?: string; useLatest?: boolean; input?: unknown }) =>
    rerun.mutate({ params: { id: execution.id }, body });
  if (execution.trigger === 'test') return null;
  const failedAt = execution.error?.nodeId;
  if (can('execution:rerun') === 'none') {
    return (
      <PermittedButton to="execution:rerun">
        <Button size="compact-sm" variant="default" leftSection={<IconRepeat size={14} aria-hidden />}>
          Run again
        </Button>
      </PermittedButton>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRepeat size={14} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          loading={rerun.isPending}
        >
          Run again
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {failedAt && <Menu.Item onClick={() => start({ fromNodeId: failedAt })}>From the failed node</Menu.Item>}
        <Menu.Item onClick={() => start({})}>From the start</Menu.Item>
        <Menu.Item onClick={() => start({ useLatest: true })}>With the latest version</Menu.Item>
        <Menu.Item onClick={() => setEditing(true)}>With other input …</Menu.Item>
      </Menu.Dropdown>
      {isEditing && (
        <RerunDialog
          input={execution.input}
          isStarting={rerun.isPending}
          onRun={(input) => start({ input })}
          onClose={() => setEditing(false)}
        />
      )}
    </Menu>
  );
}
