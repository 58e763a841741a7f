import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { AuditFilter } from '@/contract/audit';
import { downloadWorkspaceFile } from '@/components/client/download-file';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { usePermissions } from '@/components/client/usePermissions';

/** Exports the filtered entries as a file. */
export function AuditExport({ filter }: { filter: AuditFilter }) {
  const can = usePermissions();
  const save = useMutation({
    mutationFn: (format: 'csv' | 'jsonl') => {
      const parameters = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const query = new URLSearchParams([...parameters, ['format', format]]);
      return downloadWorkspaceFile(
        `/auth/audit/export?${query}`,
        `audit-${new Date().toISOString().slice(0, 10)}.${format}`,
      );
    },
    onError: ({ message }) => notifications.show({ title: 'Not exported', message, color: 'madder' }),
  });
  if (can('audit:export') === 'none') {
    return (
      <PermittedButton to="audit:export">
        <Button variant="default" leftSection={<IconDownload size={17} aria-hidden />}>
          Export
        </Button>
      </PermittedButton>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={17} aria-hidden />} loading={save.isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save.mutate('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => save.mutate('jsonl')}>JSON lines</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
