import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface Props {
  /** Label of the button: `Copy the URL`. */
  label: string;
  /** A function for long values, called on click. */
  value: string | (() => string);
  isSmall?: boolean;
}

/** Copies a text to the clipboard, with feedback. */
export function CopyIconButton({ label, value, isSmall = false }: Props) {
  const { copied, copy } = useClipboard({ timeout: 1000 });
  const [button, icon] = isSmall ? (['sm', 14] as const) : (['md', 16] as const);
  return (
    <Tooltip label={copied ? 'Copied' : 'Copy'}>
      <ActionIcon size={button} aria-label={label} onClick={() => copy(typeof value === 'string' ? value : value())}>
        {copied ? <IconCheck size={icon} aria-hidden /> : <IconCopy size={icon} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
