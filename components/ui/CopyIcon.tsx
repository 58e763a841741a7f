import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface Props {
  /** What the button is called: `Copy the address`. */
  label: string;
  value: string;
  /** Beside small print. */
  isSmall?: boolean;
}

/** Puts a text on the clipboard, and says so. */
export function CopyIcon({ label, value, isSmall = false }: Props) {
  const [button, icon] = isSmall ? (['sm', 14] as const) : (['md', 16] as const);
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <ActionIcon size={button} aria-label={label} onClick={copy}>
            {copied ? <IconCheck size={icon} aria-hidden /> : <IconCopy size={icon} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
