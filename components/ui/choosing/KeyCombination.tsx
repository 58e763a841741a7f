import { Group, Kbd } from '@mantine/core';
import { keyNamesToShow } from '../keyboard';

/** A key combination. */
export function KeyCombination({ keys }: { keys: string }) {
  return (
    <Group gap={3} wrap="nowrap" component="span">
      {keyNamesToShow(keys).map((name) => (
        <Kbd key={name} size="xs">
          {name}
        </Kbd>
      ))}
    </Group>
  );
}
