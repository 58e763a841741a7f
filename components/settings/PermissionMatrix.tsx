import { Checkbox, Group, Table, Text } from '@mantine/core';
import type { RolePermission } from '@/contract/role';
import { Resource, type Action } from '@/contract/security';
import classes from '../ui/Table.module.css';
import { grantOf, MATRIX, toggled, wordsOf } from './role-matrix';

const COLUMNS = ['read', 'create', 'update', 'delete'] as const;
const isOther = (action: Action) => !COLUMNS.some((column) => column === action);

interface Props {
  permissions: RolePermission[];
  isReadOnly: boolean;
  onChange(permissions: RolePermission[]): void;
}

/** Who may do what, to tick. What a * covers shows as ticked and can't be unticked one by one. */
export function PermissionMatrix({ permissions, isReadOnly, onChange }: Props) {
  const box = (resource: Resource | '*', action: Action | '*', label?: string) => {
    const grant = grantOf(permissions, resource, action);
    return (
      <Checkbox
        key={action}
        size="sm"
        label={label}
        aria-label={`${action === '*' ? 'all' : action} ${resource === '*' ? 'everything' : wordsOf(resource)}`}
        checked={grant !== null}
        disabled={isReadOnly || grant === 'wide'}
        onChange={() => onChange(toggled(permissions, resource, action))}
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
            {COLUMNS.map((column) => (
              <Table.Th key={column} tt="capitalize">
                {column}
              </Table.Th>
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
                of every resource
              </Text>
            </Table.Td>
          </Table.Tr>
          {Resource.options.map((resource) => (
            <Table.Tr key={resource}>
              <Table.Th scope="row" tt="capitalize">
                {wordsOf(resource)}
              </Table.Th>
              <Table.Td>{box(resource, '*')}</Table.Td>
              {COLUMNS.map((action) => (
                <Table.Td key={action}>{MATRIX[resource].includes(action) && box(resource, action)}</Table.Td>
              ))}
              <Table.Td>
                <Group gap="sm">
                  {MATRIX[resource].filter(isOther).map((action) => box(resource, action, action))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
