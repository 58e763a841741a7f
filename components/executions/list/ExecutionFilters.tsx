import { Group, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ExecutionStatus, Trigger } from '@/contract/execution';
import { EXECUTION_STATUSES, TRIGGERS } from '@/contract/states';
import { RUN_LOOK } from '@/components/ui/states/status';
import { WorkflowSelect } from '@/components/forms/WorkflowSelect';
import { TRIGGER_WORDS } from './trigger';

/** Filters of the list of runs. */
export interface Filters {
  /** Part of a workflow's name, or the id of a run. */
  search: string;
  status: ExecutionStatus | null;
  workflowId: string | null;
  trigger: Trigger | null;
  /** Number of hours before now. */
  within: string | null;
}

export const NO_FILTERS: Filters = { search: '', status: null, workflowId: null, trigger: null, within: null };

const STATUS_CHOICES = EXECUTION_STATUSES.map((value) => ({ value, label: RUN_LOOK[value].label }));
const TRIGGER_CHOICES = TRIGGERS.map((value) => ({ value, label: TRIGGER_WORDS[value] }));
const SPANS = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last day' },
  { value: '168', label: 'Last week' },
];

export function ExecutionFilters({ filters, onChange }: { filters: Filters; onChange(filters: Filters): void }) {
  const common = { clearable: true, flex: 1, miw: 130 };
  return (
    <Group mb="md" gap="sm">
      <TextInput
        flex="1 1 100%"
        aria-label="Search runs"
        placeholder="Workflow name or run id"
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={200}
        value={filters.search}
        onChange={(event) => onChange({ ...filters, search: event.currentTarget.value })}
      />
      <Select
        {...common}
        aria-label="Status"
        placeholder="Any status"
        data={STATUS_CHOICES}
        value={filters.status}
        onChange={(status) => onChange({ ...filters, status: status as ExecutionStatus | null })}
      />
      <WorkflowSelect
        {...common}
        aria-label="Workflow"
        placeholder="Any workflow"
        value={filters.workflowId}
        onChange={(workflowId) => onChange({ ...filters, workflowId })}
      />
      <Select
        {...common}
        aria-label="Started by"
        placeholder="Any trigger"
        data={TRIGGER_CHOICES}
        value={filters.trigger}
        onChange={(trigger) => onChange({ ...filters, trigger: trigger as Trigger | null })}
      />
      <Select
        {...common}
        aria-label="Time range"
        placeholder="Any time"
        data={SPANS}
        value={filters.within}
        onChange={(within) => onChange({ ...filters, within })}
      />
    </Group>
  );
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The query for the service. The start is rounded to the minute, so that the query key stays stable. */
export function queryOf({ search, status, workflowId, trigger, within }: Filters, now: number) {
  const from = within === null ? undefined : now - Number(within) * HOUR_MS;
  return {
    search: search.trim() || undefined,
    status: status ?? undefined,
    workflowId: workflowId ?? undefined,
    trigger: trigger ?? undefined,
    from: from === undefined ? undefined : new Date(from - (from % MINUTE_MS)).toISOString(),
  };
}
