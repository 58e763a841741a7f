import { Checkbox, Group, Table, Text } from '@mantine/core';
import type { RolePermission } from '@/contract/access/role';
import { ACTIONS, Resource, type Action } from '@/contract/access/security';
import classes from '@/components/ui/lists/Table.module.css';
import { grantOf, toggled, wordsOf } from './role-matrix';

const COLUMNS = ['read', 'create', 'update', 'delete'] as const;
/** Explanations of actions that are not clear from their name. */
const MEANINGS: Partial<Record<Resource, string>> = {
  workflow: 'execute: run the workflow, also by another workflow, a webhook, a form, a chat, a schedule or a poll',
  credential: 'use: select the credential in a workflow, and let runs send it',
};
const isOther = (action: Action) => !COLUMNS.some((column) => column === action);

interface Props {
  permissions: RolePermission[];
  /** Permissions inherited from other roles. */
  inherited: RolePermission[];
  isReadOnly: boolean;
  onChange(permissions: RolePermission[]): void;
}

/** Checkboxes of all permissions. Those covered by a * are checked and disabled; inherited ones show a dash. */
export function PermissionMatrix({ permissions, inherited, isReadOnly, onChange }: Props) {
  const box = (resource: Resource | '*', action: Action | '*', label?: string) => {
    const grant = grantOf(permissions, resource, action, inherited);
    return (
      <Checkbox
        key={action}
        size="sm"
        label={label}
        aria-label={`${action === '*' ? 'all' : action} ${resource === '*' ? 'everything' : wordsOf(resource)}`}
        checked={grant !== null}
        indeterminate={grant === 'inherited'}
        title={grant === 'inherited' ? 'Inherited' : undefined}
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
                Read every resource
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
                <Table.Td key={action}>{ACTIONS[resource].includes(action) && box(resource, action)}</Table.Td>
              ))}
              <Table.Td>
                <Group gap="sm">
                  {ACTIONS[resource].filter(isOther).map((action) => box(resource, action, action))}
                </Group>
                {MEANINGS[resource] && (
                  <Text size="xs" c="dimmed" mt={4}>
                    {MEANINGS[resource]}
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
