import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { ConditionAttribute, type Condition } from '@/contract/condition';
import type { RolePermission } from '@/contract/role';
import { Action, Resource } from '@/contract/security';
import { permissionText, wordsOf } from './role-matrix';

interface Props {
  permissions: RolePermission[];
  isReadOnly: boolean;
  onChange(permissions: RolePermission[]): void;
}

const START = {
  resource: Resource.enum.workflow as Resource,
  action: Action.enum.update as Action,
  attribute: 'resource.createdBy' as ConditionAttribute,
  operator: 'eq' as Condition['operator'],
  value: 'caller.id',
};

const OPERATORS = [
  { value: 'eq', label: 'is' },
  { value: 'ne', label: 'is not' },
  { value: 'in', label: 'is one of' },
] as const;

/** A text names another attribute, a list for `in`, or stands for itself. */
function conditionOf({ attribute, operator, value }: Omit<typeof START, 'resource' | 'action'>): Condition {
  if (operator === 'in') return { attribute, operator, value: value.split(',').map((entry) => entry.trim()) };
  const other = ConditionAttribute.safeParse(value.trim());
  return other.success ? { attribute, operator, valueFrom: other.data } : { attribute, operator, value: value.trim() };
}

/** Permissions that hold only for some objects or some people. */
export function ConditionalPermissions({ permissions, isReadOnly, onChange }: Props) {
  const [next, setNext] = useState(START);
  const conditional = permissions.filter(({ conditions }) => conditions?.length);
  const add = () => {
    const { resource, action, ...condition } = next;
    onChange([...permissions, { resource, action, conditions: [conditionOf(condition)] }]);
  };
  if (isReadOnly && conditional.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={570}>
        Only under a condition
      </Text>
      {conditional.map((permission) => (
        <Group key={permissionText(permission)} gap="xs" wrap="nowrap">
          <Text size="sm" flex={1}>
            {permissionText(permission)}
          </Text>
          {!isReadOnly && (
            <ActionIcon
              aria-label={`Remove ${permissionText(permission)}`}
              onClick={() => onChange(permissions.filter((held) => held !== permission))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!isReadOnly && (
        <Group gap="xs" align="flex-end">
          <Select
            label="May"
            w={110}
            allowDeselect={false}
            data={Action.options}
            value={next.action}
            onChange={(value) => setNext({ ...next, action: Action.parse(value) })}
          />
          <Select
            label="Resource"
            w={130}
            allowDeselect={false}
            data={Resource.options.map((value) => ({ value, label: wordsOf(value) }))}
            value={next.resource}
            onChange={(value) => setNext({ ...next, resource: Resource.parse(value) })}
          />
          <Select
            label="Where"
            w={170}
            allowDeselect={false}
            data={ConditionAttribute.options}
            value={next.attribute}
            onChange={(value) => setNext({ ...next, attribute: ConditionAttribute.parse(value) })}
          />
          <Select
            label="Compared"
            w={110}
            allowDeselect={false}
            data={OPERATORS}
            value={next.operator}
            onChange={(value) => {
              const operator = OPERATORS.find((each) => each.value === value)?.value;
              if (operator) setNext({ ...next, operator });
            }}
          />
          <TextInput
            label="Value"
            w={140}
            value={next.value}
            onChange={(event) => setNext({ ...next, value: event.currentTarget.value })}
          />
          <Button variant="default" onClick={add}>
            Add
          </Button>
        </Group>
      )}
    </Stack>
  );
}
