import { Chip, Group, Input, NumberInput, Select, TextInput } from '@mantine/core';
import { HOUR_INTERVALS, MINUTE_INTERVALS, type SimpleSchedule } from './simple-times';

interface Props {
  times: SimpleSchedule;
  onChange(times: SimpleSchedule): void;
}

/** The fields of a choice of times. */
export function SimpleTimesFields({ times, onChange }: Props) {
  switch (times.kind) {
    case 'minutes':
      return (
        <IntervalSelect
          label="Every (minutes)"
          steps={MINUTE_INTERVALS}
          value={times.every}
          onChange={(every) => onChange({ ...times, every })}
        />
      );
    case 'hours':
      return (
        <Group grow align="flex-end">
          <IntervalSelect
            label="Every (hours)"
            steps={HOUR_INTERVALS}
            value={times.every}
            onChange={(every) => onChange({ ...times, every })}
          />
          <NumberInput
            label="At minute"
            min={0}
            max={59}
            clampBehavior="strict"
            allowDecimal={false}
            value={times.minute}
            onChange={(minute) => onChange({ ...times, minute: Number(minute) || 0 })}
          />
        </Group>
      );
    case 'daily':
      return <TimeOfDayInput times={times} onChange={onChange} />;
    case 'weekly':
      return (
        <>
          <WeekdayPicker days={times.days} onChange={(days) => onChange({ ...times, days })} />
          <TimeOfDayInput times={times} onChange={onChange} />
        </>
      );
    case 'monthly':
      return (
        <Group grow align="flex-start">
          <Select
            label="On day"
            description={times.day !== 'last' && times.day > 28 ? 'Shorter months are left out.' : undefined}
            data={DAY_OF_MONTH_OPTIONS}
            value={String(times.day)}
            allowDeselect={false}
            onChange={(day) => day && onChange({ ...times, day: day === 'last' ? day : Number(day) })}
          />
          <TimeOfDayInput times={times} onChange={onChange} />
        </Group>
      );
  }
}

const DAYS_IN_LONGEST_MONTH = 31;
const DAY_OF_MONTH_OPTIONS = [
  ...Array.from({ length: DAYS_IN_LONGEST_MONTH }, (_, index) => ({
    value: String(index + 1),
    label: String(index + 1),
  })),
  { value: 'last', label: 'The last day' },
];

function IntervalSelect({ label, steps, value, onChange }: IntervalSelectProps) {
  return (
    <Select
      label={label}
      data={steps.map(String)}
      value={String(value)}
      allowDeselect={false}
      onChange={(every) => every && onChange(Number(every))}
    />
  );
}

interface IntervalSelectProps {
  label: string;
  steps: readonly number[];
  value: number;
  onChange(every: number): void;
}

type TimesAtHour = Extract<SimpleSchedule, { hour: number }>;

function TimeOfDayInput({ times, onChange }: { times: TimesAtHour; onChange(times: TimesAtHour): void }) {
  const written = [times.hour, times.minute].map((part) => String(part).padStart(2, '0')).join(':');
  return (
    <TextInput
      type="time"
      label="At"
      value={written}
      onChange={({ currentTarget }) => {
        const [hour, minute] = currentTarget.value.split(':').map(Number);
        // A time that is half written has no value.
        if (hour !== undefined && minute !== undefined) onChange({ ...times, hour, minute });
      }}
    />
  );
}

/** The days of the week from Monday on. */
const WEEKDAY_OPTIONS = [
  { day: 1, label: 'Mon' },
  { day: 2, label: 'Tue' },
  { day: 3, label: 'Wed' },
  { day: 4, label: 'Thu' },
  { day: 5, label: 'Fri' },
  { day: 6, label: 'Sat' },
  { day: 0, label: 'Sun' },
];

function WeekdayPicker({ days, onChange }: { days: number[]; onChange(days: number[]): void }) {
  // The last day stays: times without a day never come.
  const change = (chosen: string[]) => chosen.length > 0 && onChange(chosen.map(Number).toSorted((a, b) => a - b));
  return (
    <Input.Wrapper label="On" labelElement="div">
      <Chip.Group multiple value={days.map(String)} onChange={change}>
        <Group gap={6} mt={4} role="group" aria-label="Days of the week">
          {WEEKDAY_OPTIONS.map(({ day, label }) => (
            <Chip key={day} size="xs" value={String(day)}>
              {label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
