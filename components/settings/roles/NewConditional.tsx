import { Button, Group, Select, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { RolePermission } from '@/contract/access/role';
import { PermissionAction, ACTIONS_BY_RESOURCE, PermissionResource } from '@/contract/access/security';
import { toCondition, INITIAL_CONDITION, type ConditionDraft } from './comparison';
import { ComparisonRow } from './ComparisonRow';
import { toActionOptions, toResourceOptions } from './role-matrix';

const MAX_COMPARISONS = 20;

/** Form for a conditional permission; all comparisons must match. */
export function NewConditional({ onAdd }: { onAdd(permission: RolePermission): void }) {
  const [resource, setResource] = useState<PermissionResource>('workflow');
  const [action, setAction] = useState<PermissionAction>('update');
  const [comparisons, setComparisons] = useState<ConditionDraft[]>([INITIAL_CONDITION]);
  const isWhole = comparisons.every(({ value }) => value.trim() !== '');
  const add = () => {
    onAdd({ resource, action, conditions: comparisons.map(toCondition) });
    setComparisons([INITIAL_CONDITION]);
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <span style={{ width: 42, fontSize: 13, color: 'var(--weft-muted)' }}>may</span>
        <Select
          aria-label="Permitted action"
          w={160}
          allowDeselect={false}
          data={toActionOptions(ACTIONS_BY_RESOURCE[resource])}
          value={action}
          onChange={(value) => setAction(PermissionAction.parse(value))}
        />
        <Select
          aria-label="Permitted resource"
          w={160}
          allowDeselect={false}
          data={toResourceOptions(PermissionResource.options)}
          value={resource}
          onChange={(value) => {
            const next = PermissionResource.parse(value);
            setResource(next);
            if (!ACTIONS_BY_RESOURCE[next].includes(action)) setAction('read');
          }}
        />
      </Group>
      {comparisons.map((comparison, index) => (
        <ComparisonRow
          // The rows have no identity besides their index.
          key={index}
          word={index === 0 ? 'where' : 'and'}
          comparison={comparison}
          onChange={(next) => setComparisons(comparisons.with(index, next))}
          onRemove={comparisons.length > 1 ? () => setComparisons(comparisons.toSpliced(index, 1)) : undefined}
        />
      ))}
      <Group gap="xs">
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={comparisons.length >= MAX_COMPARISONS}
          onClick={() =>
            setComparisons([...comparisons, { ...INITIAL_CONDITION, attribute: 'resource.status', value: '' }])
          }
        >
          Add condition
        </Button>
        <Button variant="default" size="compact-sm" disabled={!isWhole} onClick={add}>
          Add permission
        </Button>
      </Group>
    </Stack>
  );
}
