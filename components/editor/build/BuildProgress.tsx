import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import classes from './Build.module.css';

interface Props {
  instruction: string;
  /** The steps of the model; the last one is in progress. */
  steps: readonly string[];
  onStop(): void;
}

/** Lists what a model does while it builds a workflow. */
export function BuildProgress({ instruction, steps, onStop }: Props) {
  const shown = steps.length > 0 ? steps : ['Connecting'];
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed" className={classes.instruction}>
        {instruction}
      </Text>
      <ol className={classes.steps} role="log" aria-label="Progress">
        {shown.map((step, index) => (
          <li key={index} className={classes.step}>
            {index === shown.length - 1 ? (
              <Loader size={16} aria-hidden />
            ) : (
              <IconCheck size={16} color="var(--weft-done)" aria-hidden />
            )}
            <span>{step}</span>
          </li>
        ))}
      </ol>
      <Group justify="flex-end">
        <Button variant="default" autoFocus onClick={onStop}>
          Stop
        </Button>
      </Group>
    </Stack>
  );
}
