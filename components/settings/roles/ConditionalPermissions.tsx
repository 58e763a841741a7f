import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { RolePermission } from '@/contract/access/role';
import { NewConditional } from './NewConditional';
import { describePermission } from './role-matrix';

interface Props {
  permissions: RolePermission[];
  isReadOnly: boolean;
  onChange(permissions: RolePermission[]): void;
}

/** Permissions with conditions. */
export function ConditionalPermissions({ permissions, isReadOnly, onChange }: Props) {
  const conditional = permissions.filter(({ conditions }) => conditions?.length);
  if (isReadOnly && conditional.length === 0) return null;
  return (
    <Stack gap="xs" role="group" aria-label="Conditional permissions">
      <Text size="sm" fw={570}>
        Conditional permissions
      </Text>
      {conditional.map((permission) => (
        <Group key={describePermission(permission)} gap="xs" wrap="nowrap">
          <Text size="sm" flex={1}>
            {describePermission(permission)}
          </Text>
          {!isReadOnly && (
            <ActionIcon
              aria-label={`Remove ${describePermission(permission)}`}
              onClick={() => onChange(permissions.filter((held) => held !== permission))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!isReadOnly && <NewConditional onAdd={(permission) => onChange([...permissions, permission])} />}
    </Stack>
  );
}
