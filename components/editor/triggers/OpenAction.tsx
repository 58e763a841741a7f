import { ActionIcon } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Hint } from '@/components/ui/Hint';

/** The button on the card of a trigger that opens its page. */
export function OpenAction({ url, label }: { url: string; label: string }) {
  return (
    <Hint label={label}>
      <ActionIcon
        component="a"
        href={url}
        target="_blank"
        rel="noreferrer"
        size={34}
        variant="light"
        color="woad"
        className="nodrag"
        aria-label={label}
      >
        <IconExternalLink size={16} aria-hidden />
      </ActionIcon>
    </Hint>
  );
}
