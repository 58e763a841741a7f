import { Badge, Tooltip } from '@mantine/core';

/** A label with a hint about the data next to it. */
export function DataBadge({ label, hint }: { label: string; hint: string }) {
  return (
    <Tooltip label={hint} multiline maw={260}>
      <Badge size="sm" variant="light" color="weld" tt="none" tabIndex={0}>
        {label}
      </Badge>
    </Tooltip>
  );
}

export const OutdatedBadge = () => (
  <DataBadge label="Outdated" hint="This node or a node before it changed since this run. Run it again." />
);
