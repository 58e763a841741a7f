import { Group, Kbd } from '@mantine/core';
import { keyNames } from '../keys';

/** A key combination. */
export function Keys({ keys }: { keys: string }) {
  return (
    <Group gap={3} wrap="nowrap" component="span">
      {keyNames(keys).map((name) => (
        <Kbd key={name} size="xs">
          {name}
        </Kbd>
      ))}
    </Group>
  );
}
