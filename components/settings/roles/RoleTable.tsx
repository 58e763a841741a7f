import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { readableRoleName } from '@/components/client/role-names';
import type { RoleResponse } from '@/contract/access/role';
import { PermittedButton } from '@/components/ui/PermittedButton';
import classes from '@/components/ui/lists/Table.module.css';

interface Props {
  roles: RoleResponse[];
  onOpen(role: RoleResponse): void;
  onDelete(role: RoleResponse): void;
}

export function RoleTable({ roles, onOpen, onDelete }: Props) {
  const nameOf = (id: string) => readableRoleName(roles.find((role) => role.id === id)?.name ?? id);
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Role</Table.Th>
            <Table.Th visibleFrom="sm">Inherits</Table.Th>
            <Table.Th>
              <span className={classes.hidden}>Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {roles.map((role) => (
            <Table.Tr key={role.id} className={classes.row}>
              <Table.Td>
                <Group gap="xs">
                  <Text size="sm" fw={570} className={classes.written}>
                    {readableRoleName(role.name)}
                  </Text>
                  {role.isSystem && (
                    <Badge variant="default" tt="none">
                      System
                    </Badge>
                  )}
                </Group>
                {role.description && (
                  <Text size="xs" c="dimmed">
                    {role.description}
                  </Text>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm">{role.inherits.map(nameOf).join(', ')}</Table.Td>
              <Table.Td>
                <div className={classes.actions}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`${role.isSystem ? 'Show' : 'Edit'} ${readableRoleName(role.name)}`}
                    onClick={() => onOpen(role)}
                  >
                    {role.isSystem ? 'Show' : 'Edit'}
                  </Button>
                  {!role.isSystem && (
                    <PermittedButton to="role:delete">
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={`Delete ${role.name}`}
                        onClick={() => onDelete(role)}
                      >
                        Delete
                      </Button>
                    </PermittedButton>
                  )}
                </div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
