import { Group, Pill, Select, TextInput } from '@mantine/core';
import type { AuditFilter } from '@/contract/audit';
import { AUDIT_ACTIONS, auditSentence } from '@/contract/audit-actions';
import { AuditCategory, AuditResult } from '@/contract/access/security';
import { toResourceOptions } from '../roles/role-matrix';
import classes from './AuditFilters.module.css';
import { AUDIT_RESULT_STYLE } from './AuditTable';
import { useMemberOptions } from '@/components/client/queries/useMemberOptions';

const AUDIT_ACTION_OPTIONS = AUDIT_ACTIONS.map((value) => ({
  value,
  label: auditSentence(value, true).replace('{name}', '…'),
}));

/** The start of a local day in UTC. */
const localDayStart = (day: string, after = 0): string | undefined => {
  if (!day) return undefined;
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + after);
  return date.toISOString();
};
const localDay = (moment: string | undefined, before = 0): string => {
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
  const people = useMemberOptions();
  return (
    <Group gap="sm" my="md" align="end" className={classes.filters}>
      <Select
        label="Category"
        clearable
        placeholder="Any"
        data={toResourceOptions(AuditCategory.options)}
        value={filter.category ?? null}
        onChange={(value) => onChange({ ...filter, category: AuditCategory.safeParse(value).data })}
      />
      <Select
        label="Result"
        clearable
        placeholder="Any"
        data={AuditResult.options.map((value) => ({ value, label: AUDIT_RESULT_STYLE[value].label }))}
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
        data={AUDIT_ACTION_OPTIONS}
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
        value={localDay(filter.from)}
        onChange={(event) => onChange({ ...filter, from: localDayStart(event.currentTarget.value) })}
      />
      <TextInput
        label="To"
        type="date"
        value={localDay(filter.to, 1)}
        onChange={(event) => onChange({ ...filter, to: localDayStart(event.currentTarget.value, 1) })}
      />
    </Group>
  );
}
