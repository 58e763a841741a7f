import { Group, Pill, Select, TextInput } from '@mantine/core';
import type { AuditFilter } from '@/contract/audit';
import { AUDIT_ACTIONS, sentenceOf } from '@/contract/audit-actions';
import { AuditCategory, AuditResult } from '@/contract/access/security';
import { wordsOf } from '../roles/role-matrix';
import classes from './AuditFilters.module.css';
import { usePeople } from '@/components/client/queries/usePeople';

const ACTIONS = AUDIT_ACTIONS.map((value) => ({ value, label: sentenceOf(value, true).replace('{name}', '…') }));

/** The start of a local day in UTC. */
const dayStart = (day: string, after = 0): string | undefined => {
  if (!day) return undefined;
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + after);
  return date.toISOString();
};
const dayOf = (moment: string | undefined, before = 0): string => {
  if (!moment) return '';
  const date = new Date(moment);
  date.setDate(date.getDate() - before);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
};

interface Props {
  filter: AuditFilter;
  onChange(filter: AuditFilter): void;
}

export function AuditFilters({ filter, onChange }: Props) {
  const people = usePeople();
  return (
    <Group gap="sm" my="md" align="end" className={classes.filters}>
      <Select
        label="Category"
        clearable
        placeholder="Any"
        data={AuditCategory.options.map((value) => ({ value, label: wordsOf(value) }))}
        value={filter.category ?? null}
        onChange={(value) => onChange({ ...filter, category: AuditCategory.safeParse(value).data })}
      />
      <Select
        label="Result"
        clearable
        placeholder="Any"
        data={AuditResult.options}
        value={filter.result ?? null}
        onChange={(value) => onChange({ ...filter, result: AuditResult.safeParse(value).data })}
      />
      <Select
        label="Actor"
        clearable
        searchable
        placeholder="Anyone"
        data={people}
        value={filter.actorId ?? null}
        onChange={(value) => onChange({ ...filter, actorId: value ?? undefined })}
      />
      <Select
        label="Action"
        clearable
        searchable
        placeholder="Any"
        data={ACTIONS}
        value={filter.action ?? null}
        onChange={(value) => onChange({ ...filter, action: value ?? undefined })}
      />
      {filter.resourceId && (
        <Pill withRemoveButton size="lg" onRemove={() => onChange({ ...filter, resourceId: undefined })}>
          Resource {filter.resourceId}
        </Pill>
      )}
      <TextInput
        label="From"
        type="date"
        value={dayOf(filter.from)}
        onChange={(event) => onChange({ ...filter, from: dayStart(event.currentTarget.value) })}
      />
      <TextInput
        label="To"
        type="date"
        value={dayOf(filter.to, 1)}
        onChange={(event) => onChange({ ...filter, to: dayStart(event.currentTarget.value, 1) })}
      />
    </Group>
  );
}
