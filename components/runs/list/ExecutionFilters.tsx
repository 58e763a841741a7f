import { Group, Select, TextInput, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { EXECUTION_STATUSES, TRIGGER_TYPES } from '@/contract/states';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { WorkflowReferenceSelect } from '@/components/forms/WorkflowReferenceSelect';
import { useRunTags } from '../annotation/useRunTags';
import { SavedFilters } from '@/components/ui/lists/SavedFilters';
import {
  encodeRunFilters,
  parseRunFilters,
  timeBoundsError,
  RUN_SCOPE_LABELS,
  RATING_LABELS,
  TIME_SPAN_LABELS,
  type RunFilters,
} from './filters';
import { TRIGGER_LABELS } from './trigger';
import { FilterChoices } from '@/components/ui/lists/FilterChoices';
import { SearchInput } from '@/components/ui/SearchInput';

const STATUS_OPTIONS = EXECUTION_STATUSES.map((value) => ({ value, label: RUN_STATUS_STYLE[value].label }));
const TRIGGER_OPTIONS = TRIGGER_TYPES.map((value) => ({ value, label: TRIGGER_LABELS[value] }));
const RUN_SCOPE_OPTIONS = Object.entries(RUN_SCOPE_LABELS).map(([value, label]) => ({
  value: value as keyof typeof RUN_SCOPE_LABELS,
  label,
}));
const ANNOTATION_OPTIONS = [
  ...Object.entries(RATING_LABELS).map(([value, label]) => ({ value: value as keyof typeof RATING_LABELS, label })),
  { value: 'kept' as const, label: 'Kept' },
];
const TIME_SPAN_OPTIONS = [
  ...Object.entries(TIME_SPAN_LABELS).map(([value, label]) => ({
    value: value as `${keyof typeof TIME_SPAN_LABELS}`,
    label,
  })),
  { value: 'custom' as const, label: 'From … to …' },
];

interface Props {
  filters: RunFilters;
  onChange(filters: RunFilters): void;
}

export function ExecutionFilters({ filters, onChange }: Props) {
  const common = { clearable: true, flex: 1, miw: 150 };
  const count = Object.entries(filters).filter(
    ([name, value]) => name !== 'search' && name !== 'sort' && Boolean(value),
  ).length;
  const clear = (of: string) => ({ clearButtonProps: { 'aria-label': `Clear ${of}` } });
  return (
    <Group mb="md" gap="sm" align="flex-start">
      <SearchInput
        label="Search runs"
        flex={1}
        miw={240}
        placeholder="Workflow name or run id"
        maxLength={200}
        value={filters.search}
        onChange={(search) => onChange({ ...filters, search })}
      />
      <SavedFilters
        list="executions"
        address={encodeRunFilters(filters)}
        onPick={(address) => onChange(parseRunFilters(new URLSearchParams(address)))}
      />
      <FilterChoices count={count}>
        <Select
          {...common}
          {...clear('status')}
          aria-label="Status"
          placeholder="Any status"
          data={STATUS_OPTIONS}
          value={filters.status}
          onChange={(status) => onChange({ ...filters, status })}
        />
        <WorkflowReferenceSelect
          {...common}
          {...clear('workflow')}
          aria-label="Workflow"
          placeholder="Any workflow"
          value={filters.workflow}
          onChange={(workflow) => onChange({ ...filters, workflow })}
        />
        <Select
          {...common}
          {...clear('trigger')}
          aria-label="Trigger"
          placeholder="Any trigger"
          data={TRIGGER_OPTIONS}
          value={filters.trigger}
          onChange={(trigger) => onChange({ ...filters, trigger })}
        />
        <Select
          {...common}
          {...clear('kind of run')}
          aria-label="Kind of run"
          placeholder="All runs"
          data={RUN_SCOPE_OPTIONS}
          value={filters.runs}
          onChange={(runs) => onChange({ ...filters, runs })}
        />
        <Select
          {...common}
          {...clear('annotation')}
          aria-label="Annotation"
          placeholder="Rated or not"
          data={ANNOTATION_OPTIONS}
          value={filters.kept ? 'kept' : filters.rating}
          onChange={(choice) =>
            onChange({
              ...filters,
              kept: choice === 'kept' ? 'true' : null,
              rating: choice === 'kept' ? null : choice,
            })
          }
        />
        <RunTagFilter
          {...common}
          {...clear('tag')}
          value={filters.tag}
          onChange={(tag) => onChange({ ...filters, tag })}
        />
        <Select
          {...common}
          {...clear('time range')}
          aria-label="Time range"
          placeholder="Any time"
          data={TIME_SPAN_OPTIONS}
          value={filters.within}
          onChange={(within) => onChange({ ...filters, within, from: '', to: '' })}
        />
      </FilterChoices>
      {filters.within === 'custom' && (
        <Group gap="sm" align="flex-start" flex="1 1 100%">
          <LocalTimeInput label="From" value={filters.from} onChange={(from) => onChange({ ...filters, from })} />
          <LocalTimeInput
            label="To"
            value={filters.to}
            error={timeBoundsError(filters)}
            onChange={(to) => onChange({ ...filters, to })}
          />
        </Group>
      )}
    </Group>
  );
}

interface RunTagFilterProps extends Pick<SelectProps, 'clearable' | 'flex' | 'miw' | 'clearButtonProps'> {
  value: string | null;
  onChange(tag: string | null): void;
}

/** The tags of runs, read when the list opens. */
function RunTagFilter({ value, onChange, ...look }: RunTagFilterProps) {
  const [isOpened, setOpened] = useState(false);
  const tags = useRunTags(isOpened);
  const data = value === null || tags.includes(value) ? tags : [value, ...tags];
  return (
    <Select
      {...look}
      aria-label="Tag"
      placeholder="Any tag"
      searchable
      nothingFoundMessage="No run has a tag"
      data={data}
      value={value}
      onDropdownOpen={() => setOpened(true)}
      onChange={onChange}
    />
  );
}

interface LocalTimeInputProps {
  label: string;
  /** A time in ISO 8601, or an empty text for none. */
  value: string;
  error?: string;
  onChange(value: string): void;
}

/** A date and time of this browser's time zone. */
function LocalTimeInput({ label, value, error, onChange }: LocalTimeInputProps) {
  return (
    <TextInput
      label={label}
      type="datetime-local"
      w={220}
      error={error}
      value={value === '' ? '' : toLocalInputText(new Date(value))}
      onChange={({ currentTarget: { value: typed } }) => onChange(typed === '' ? '' : new Date(typed).toISOString())}
    />
  );
}

/** `2026-03-01T12:00` in local time. */
function toLocalInputText(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
