import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconColumns, IconDots, IconDownload, IconTrash, IconUpload } from '@tabler/icons-react';
import type { TableRowFilter } from '@/contract/tables/table-columns';
import { downloadWorkspaceFile } from '@/components/client/download-file';
import { useObjectPermission } from '@/components/client/useObjectPermission';
import type { TableDetails } from './types';

/** A dialog of a table's page. */
export type TableDialog = 'row' | 'import' | 'columns' | 'deleteTable' | 'deleteRows';

interface Props {
  table: TableDetails;
  canWrite: boolean;
  filter: TableRowFilter | undefined;
  sort: string | undefined;
  onOpen(dialog: TableDialog): void;
}

/** What can be done with a whole table. An export has the filter and the sort of the page. */
export function TableMenu({ table: { id, name }, canWrite, filter, sort, onOpen }: Props) {
  const canUpdate = useObjectPermission('table', 'update', id);
  const canDelete = useObjectPermission('table', 'delete', id);
  const save = () => {
    const query = new URLSearchParams({
      ...(filter ? { filter: JSON.stringify(filter) } : {}),
      ...(sort ? { sort } : {}),
    });
    downloadWorkspaceFile(`/api/tables/${encodeURIComponent(id)}/rows.csv?${query.toString()}`, `${name}.csv`).catch(
      (error: unknown) =>
        notifications.show({ color: 'madder', message: error instanceof Error ? error.message : 'The export failed.' }),
    );
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions">
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canWrite && (
          <Menu.Item leftSection={<IconUpload size={16} aria-hidden />} onClick={() => onOpen('import')}>
            Import CSV
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
          Export CSV
        </Menu.Item>
        {canUpdate && (
          <Menu.Item leftSection={<IconColumns size={16} aria-hidden />} onClick={() => onOpen('columns')}>
            Name and columns
          </Menu.Item>
        )}
        {canDelete && (
          <Menu.Item
            color="madder"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => onOpen('deleteTable')}
          >
            Delete table
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
