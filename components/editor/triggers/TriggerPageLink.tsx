import { ActionIcon } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { LightTooltip } from '@/components/ui/LightTooltip';

/** The button on the card of a trigger that opens its page. */
export function TriggerPageLink({ url, label }: { url: string; label: string }) {
  return (
    <LightTooltip label={label}>
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
    </LightTooltip>
  );
}
