import { Checkbox, Group, Table, Text } from '@mantine/core';
import type { RolePermission } from '@/contract/access/role';
import { ACTIONS_BY_RESOURCE, PermissionResource, type PermissionAction } from '@/contract/access/security';
import { startWithCapital } from '@/components/ui/values/start-with-capital';
import classes from '@/components/ui/lists/Table.module.css';
import { readableActionName, readableResourceName } from '@/components/client/permission-words';
import { permissionSource, togglePermission } from './role-matrix';

const ACTION_COLUMNS = ['read', 'create', 'update', 'delete'] as const;
/** Explanations of actions that are not clear from their name. */
const RESOURCE_ACTION_HINTS: Partial<Record<PermissionResource, string>> = {
  workflow: 'Run: also by another workflow, a webhook, a form, a chat, a schedule or a poll',
  credential: 'Use: select the credential in a workflow, and let runs send it',
};
const isExtraAction = (action: PermissionAction) => !ACTION_COLUMNS.some((column) => column === action);

interface Props {
  permissions: RolePermission[];
  /** Permissions inherited from other roles. */
  inherited: RolePermission[];
  isReadOnly: boolean;
  onChange(permissions: RolePermission[]): void;
}

/** Checkboxes of all permissions. Those covered by a * are checked and disabled; inherited ones show a dash. */
export function PermissionMatrix({ permissions, inherited, isReadOnly, onChange }: Props) {
  const box = (resource: PermissionResource | '*', action: PermissionAction | '*', label?: string) => {
    const grant = permissionSource(permissions, resource, action, inherited);
    return (
      <Checkbox
        key={action}
        size="sm"
        label={label}
        aria-label={`${action === '*' ? 'all' : readableActionName(action)} ${resource === '*' ? 'everything' : readableResourceName(resource)}`}
        checked={grant !== null}
        indeterminate={grant === 'inherited'}
        title={grant === 'inherited' ? 'Inherited' : undefined}
        disabled={isReadOnly || grant === 'wide'}
        onChange={() => onChange(togglePermission(permissions, resource, action))}
      />
    );
  };
  return (
    <Table.ScrollContainer minWidth={620} className={classes.frame}>
      <Table className={classes.table} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Resource</Table.Th>
            <Table.Th>All</Table.Th>
            {ACTION_COLUMNS.map((column) => (
              <Table.Th key={column}>{startWithCapital(column)}</Table.Th>
            ))}
            <Table.Th>More</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th scope="row">Everything</Table.Th>
            <Table.Td>{box('*', '*')}</Table.Td>
            <Table.Td>{box('*', 'read')}</Table.Td>
            <Table.Td colSpan={4}>
              <Text size="xs" c="dimmed">
                Read every resource
              </Text>
            </Table.Td>
          </Table.Tr>
          {PermissionResource.options.map((resource) => (
            <Table.Tr key={resource}>
              <Table.Th scope="row">{startWithCapital(readableResourceName(resource))}</Table.Th>
              <Table.Td>{box(resource, '*')}</Table.Td>
              {ACTION_COLUMNS.map((action) => (
                <Table.Td key={action}>
                  {ACTIONS_BY_RESOURCE[resource].includes(action) && box(resource, action)}
                </Table.Td>
              ))}
              <Table.Td>
                <Group gap="sm">
                  {ACTIONS_BY_RESOURCE[resource]
                    .filter(isExtraAction)
                    .map((action) => box(resource, action, startWithCapital(readableActionName(action))))}
                </Group>
                {RESOURCE_ACTION_HINTS[resource] && (
                  <Text size="xs" c="dimmed" mt={4}>
                    {RESOURCE_ACTION_HINTS[resource]}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
