import { Box, Input, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ZoneSelect } from '@/components/ui/zones/ZoneSelect';
import { useCronWords, useNextTimes } from './cron';
import { cronOf, simpleOf } from './simple-times';
import { SimpleTimesFields } from './SimpleTimesFields';
import { beginningOf, KINDS, type Kind } from './time-kinds';
import { timeIn } from './time-in';

interface Props {
  cron: string;
  timezone: string;
  /** By the names of the service: `cron`, `timezone`. */
  errors: ReadonlyMap<string, string>;
  onCron(cron: string): void;
  onTimezone(zone: string): void;
}

/** Times of a schedule: a choice or a cron expression, with the time zone and the next times. */
export function CronField({ cron, timezone, errors, onCron, onTimezone }: Props) {
  const times = simpleOf(cron);
  // An expression that amounts to a choice can still be edited as an expression.
  const [isWriting, setWriting] = useState(false);
  const kind: Kind = isWriting || !times ? 'cron' : times.kind;
  const choose = (next: Kind) => {
    setWriting(next === 'cron');
    if (next !== 'cron') onCron(cronOf(beginningOf(next, times)));
  };
  return (
    <Stack gap="sm">
      <Select
        label="Repeat"
        data={KINDS}
        value={kind}
        allowDeselect={false}
        onChange={(next) => next && choose(next as Kind)}
      />
      {kind !== 'cron' && times && <SimpleTimesFields times={times} onChange={(next) => onCron(cronOf(next))} />}
      <TextInput
        label="Cron expression"
        description="Minute, hour, day of month, month, day of week"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={cron}
        maxLength={200}
        error={errors.get('cron')}
        onChange={(event) => onCron(event.currentTarget.value)}
      />
      <ZoneSelect
        label="Time zone"
        value={timezone}
        error={errors.get('timezone')}
        onChange={(zone) => zone && onTimezone(zone)}
      />
      <NextTimes cron={cron} timezone={timezone} />
    </Stack>
  );
}

function NextTimes({ cron, timezone }: Pick<Props, 'cron' | 'timezone'>) {
  const words = useCronWords(cron);
  const next = useNextTimes(cron, timezone);
  return (
    <Box aria-live="polite">
      <Text size="sm">{words ?? 'This is not a valid cron expression.'}</Text>
      {words && next && (
        <Input.Wrapper label={`Next times (${timezone})`} labelElement="div" mt={6}>
          <Box component="ol" aria-label="Next times" m={0} pl={20} fz="sm">
            {next.map((at) => (
              <li key={at.getTime()}>
                <time dateTime={at.toISOString()}>{timeIn(at, timezone)}</time>
              </li>
            ))}
          </Box>
        </Input.Wrapper>
      )}
    </Box>
  );
}
