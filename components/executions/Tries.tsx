import { Stack, Text } from '@mantine/core';
import type { NodeResult } from '@/contract/execution';
import { duration, elapsed } from '../ui/time';
import classes from './Tries.module.css';

/** How each try of a node went, oldest first. */
export function Tries({ tries }: { tries: NonNullable<NodeResult['tries']> }) {
  return (
    <Stack gap={4}>
      <Text size="xs" fw={600} c="dimmed">
        Tries
      </Text>
      <ol className={classes.tries} aria-label="Tries">
        {tries.map(({ attempt, startedAt, completedAt, error }) => {
          const ms = completedAt && elapsed(startedAt, completedAt, 0);
          return (
            <li key={attempt} data-failed={error ? true : undefined}>
              <span className={classes.number}>{attempt}</span>
              <time dateTime={startedAt}>{new Date(startedAt).toLocaleTimeString()}</time>
              <span className={classes.time}>{ms === undefined || ms === '' ? 'under way' : duration(ms)}</span>
              <span className={classes.words}>{error ? `${error.code}: ${error.message}` : completedAt && 'Done'}</span>
            </li>
          );
        })}
      </ol>
    </Stack>
  );
}
