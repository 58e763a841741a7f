import { Box, Input, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { TimeZoneSelect } from '@/components/ui/zones/TimeZoneSelect';
import { useCronDescription, useNextCronTimes } from './cron';
import { toCronExpression, parseSimpleSchedule } from './simple-times';
import { SimpleTimesFields } from './SimpleTimesFields';
import { initialSimpleSchedule, SCHEDULE_TIME_OPTIONS, type ScheduleTimeKind } from './time-kinds';
import { formatTimeInZone } from './time-in';

interface Props {
  cron: string;
  timezone: string;
  /** Errors by the field names of the API, `cron` and `timezone`. */
  errors: ReadonlyMap<string, string>;
  onCron(cron: string): void;
  onTimezone(zone: string): void;
}

/** Times of a schedule: a choice or a cron expression, with the time zone and the next times. */
export function CronField({ cron, timezone, errors, onCron, onTimezone }: Props) {
  const times = parseSimpleSchedule(cron);
  // An expression that amounts to a choice can still be edited as an expression.
  const [isWriting, setWriting] = useState(false);
  const kind: ScheduleTimeKind = isWriting || !times ? 'cron' : times.kind;
  const choose = (next: ScheduleTimeKind) => {
    setWriting(next === 'cron');
    if (next !== 'cron') onCron(toCronExpression(initialSimpleSchedule(next, times)));
  };
  return (
    <Stack gap="sm">
      <Select
        label="Repeat"
        data={SCHEDULE_TIME_OPTIONS}
        value={kind}
        allowDeselect={false}
        onChange={(next) => next && choose(next as ScheduleTimeKind)}
      />
      {kind !== 'cron' && times && (
        <SimpleTimesFields times={times} onChange={(next) => onCron(toCronExpression(next))} />
      )}
      <TextInput
        label="Cron expression"
        withAsterisk
        description="Minute, hour, day of month, month, day of week"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={cron}
        maxLength={200}
        error={errors.get('cron')}
        onChange={(event) => onCron(event.currentTarget.value)}
      />
      <TimeZoneSelect
        label="Time zone"
        value={timezone}
        error={errors.get('timezone')}
        onChange={(zone) => zone && onTimezone(zone)}
      />
      <NextCronTimes cron={cron} timezone={timezone} />
    </Stack>
  );
}

function NextCronTimes({ cron, timezone }: Pick<Props, 'cron' | 'timezone'>) {
  const words = useCronDescription(cron);
  const next = useNextCronTimes(cron, timezone);
  return (
    <Box aria-live="polite">
      <Text size="sm">{words ?? 'This is not a valid cron expression.'}</Text>
      {words && next && (
        <Input.Wrapper label={`Next times (${timezone})`} labelElement="div" mt={6}>
          <Box component="ol" aria-label="Next times" m={0} pl={20} fz="sm">
            {next.map((at) => (
              <li key={at.getTime()}>
                <time dateTime={at.toISOString()}>{formatTimeInZone(at, timezone)}</time>
              </li>
            ))}
          </Box>
        </Input.Wrapper>
      )}
    </Box>
  );
}
