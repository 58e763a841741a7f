import { ActionIcon, Button } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { AppLink } from '@/components/ui/AppLink';

interface Props {
  label: string;
  icon: Icon;
  /** A path to open, or a click handler. */
  to: string | (() => void);
}

/** A button of the toolbar over a run; on screens up to a tablet only the icon is shown. */
export function BarAction({ label, icon: Icon, to, ...props }: Props) {
  const isLink = typeof to === 'string';
  const way = {
    variant: 'default',
    renderRoot: isLink ? (linkProps: object) => <AppLink href={to} {...linkProps} /> : undefined,
    onClick: isLink ? undefined : to,
    // Wrappers such as Permitted and Hint add props.
    ...props,
  };
  return (
    <>
      <Button {...way} visibleFrom="md" leftSection={<Icon size={16} aria-hidden />}>
        {label}
      </Button>
      <ActionIcon {...way} hiddenFrom="md" size={36} aria-label={label}>
        <Icon size={17} aria-hidden />
      </ActionIcon>
    </>
  );
}
