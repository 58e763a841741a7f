import { Button, Group, Select, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { RolePermission } from '@/contract/access/role';
import { Action, ACTIONS, Resource } from '@/contract/access/security';
import { conditionOf, FIRST, type Comparison } from './comparison';
import { ComparisonRow } from './ComparisonRow';
import { wordsOf } from './role-matrix';

const MOST = 20;

/** Form for a conditional permission; all comparisons must match. */
export function NewConditional({ onAdd }: { onAdd(permission: RolePermission): void }) {
  const [resource, setResource] = useState<Resource>('workflow');
  const [action, setAction] = useState<Action>('update');
  const [comparisons, setComparisons] = useState<Comparison[]>([FIRST]);
  const isWhole = comparisons.every(({ value }) => value.trim() !== '');
  const add = () => {
    onAdd({ resource, action, conditions: comparisons.map(conditionOf) });
    setComparisons([FIRST]);
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <span style={{ width: 42, fontSize: 13, color: 'var(--weft-muted)' }}>may</span>
        <Select
          aria-label="Permitted action"
          w={120}
          allowDeselect={false}
          data={ACTIONS[resource]}
          value={action}
          onChange={(value) => setAction(Action.parse(value))}
        />
        <Select
          aria-label="Permitted resource"
          w={160}
          allowDeselect={false}
          data={Resource.options.map((value) => ({ value, label: wordsOf(value) }))}
          value={resource}
          onChange={(value) => {
            const next = Resource.parse(value);
            setResource(next);
            if (!ACTIONS[next].includes(action)) setAction('read');
          }}
        />
      </Group>
      {comparisons.map((comparison, index) => (
        <ComparisonRow
          // Rows have no identity besides their index.
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
          disabled={comparisons.length >= MOST}
          onClick={() => setComparisons([...comparisons, { ...FIRST, attribute: 'resource.status', value: '' }])}
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
