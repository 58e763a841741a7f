import { Group, Select, Text, type ComboboxItem, type SelectProps } from '@mantine/core';
import { useMemo } from 'react';
import { filterTimeZones, timeZoneLabel, utcOffsetText, listTimeZones } from './time-zones';

interface Props extends Pick<SelectProps, 'label' | 'description' | 'placeholder' | 'error' | 'clearable'> {
  value: string | null;
  onChange(zone: string | null): void;
}

/** At most this many options are drawn, because there are more than 400 names. */
const MAX_VISIBLE_ZONES = 60;

/** An IANA time zone, searched by the words of its name; each is shown with its present difference from UTC. */
export function TimeZoneSelect({ value, clearable, ...rest }: Props) {
  const names = useMemo(() => listTimeZones(value), [value]);
  const data = useMemo(() => names.map((name) => ({ value: name, label: timeZoneLabel(name) })), [names]);
  return (
    <Select
      {...rest}
      searchable
      clearable={clearable}
      allowDeselect={clearable === true}
      clearButtonProps={{ 'aria-label': 'Clear time zone' }}
      nothingFoundMessage="No time zone is called that"
      limit={MAX_VISIBLE_ZONES}
      data={data}
      value={value}
      filter={({ options, search }) => {
        const found = new Set(filterTimeZones(names, search));
        return (options as ComboboxItem[]).filter((option) => found.has(option.value));
      }}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" flex={1} gap="xs">
          <span>{option.label}</span>
          <Text size="xs" c="dimmed">
            {utcOffsetText(option.value)}
          </Text>
        </Group>
      )}
    />
  );
}
