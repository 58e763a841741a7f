import { Chip, Group, Input, NumberInput, Select, TextInput } from '@mantine/core';
import { HOUR_STEPS, MINUTE_STEPS, type SimpleTimes } from './simple-times';

interface Props {
  times: SimpleTimes;
  onChange(times: SimpleTimes): void;
}

/** The fields of a choice of times. */
export function SimpleTimesFields({ times, onChange }: Props) {
  switch (times.kind) {
    case 'minutes':
      return (
        <Steps
          label="Every (minutes)"
          steps={MINUTE_STEPS}
          value={times.every}
          onChange={(every) => onChange({ ...times, every })}
        />
      );
    case 'hours':
      return (
        <Group grow align="flex-end">
          <Steps
            label="Every (hours)"
            steps={HOUR_STEPS}
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
      return <TimeOfDay times={times} onChange={onChange} />;
    case 'weekly':
      return (
        <>
          <Days days={times.days} onChange={(days) => onChange({ ...times, days })} />
          <TimeOfDay times={times} onChange={onChange} />
        </>
      );
    case 'monthly':
      return (
        <Group grow align="flex-start">
          <Select
            label="On day"
            description={times.day !== 'last' && times.day > 28 ? 'Shorter months are left out.' : undefined}
            data={DAYS_OF_MONTH}
            value={String(times.day)}
            allowDeselect={false}
            onChange={(day) => day && onChange({ ...times, day: day === 'last' ? day : Number(day) })}
          />
          <TimeOfDay times={times} onChange={onChange} />
        </Group>
      );
  }
}

const MOST_DAYS = 31;
const DAYS_OF_MONTH = [
  ...Array.from({ length: MOST_DAYS }, (_, index) => ({ value: String(index + 1), label: String(index + 1) })),
  { value: 'last', label: 'The last day' },
];

function Steps({ label, steps, value, onChange }: StepsProps) {
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

interface StepsProps {
  label: string;
  steps: readonly number[];
  value: number;
  onChange(every: number): void;
}

type AtTime = Extract<SimpleTimes, { hour: number }>;

function TimeOfDay({ times, onChange }: { times: AtTime; onChange(times: AtTime): void }) {
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

/** Monday first. */
const WEEK = [
  { day: 1, label: 'Mon' },
  { day: 2, label: 'Tue' },
  { day: 3, label: 'Wed' },
  { day: 4, label: 'Thu' },
  { day: 5, label: 'Fri' },
  { day: 6, label: 'Sat' },
  { day: 0, label: 'Sun' },
];

function Days({ days, onChange }: { days: number[]; onChange(days: number[]): void }) {
  // The last day stays: times without a day never come.
  const change = (chosen: string[]) => chosen.length > 0 && onChange(chosen.map(Number).toSorted((a, b) => a - b));
  return (
    <Input.Wrapper label="On" labelElement="div">
      <Chip.Group multiple value={days.map(String)} onChange={change}>
        <Group gap={6} mt={4} role="group" aria-label="Days of the week">
          {WEEK.map(({ day, label }) => (
            <Chip key={day} size="xs" value={String(day)}>
              {label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
