import { Badge, Tooltip } from '@mantine/core';

/** What is to be known of the data beside it. */
export function DataMark({ label, hint }: { label: string; hint: string }) {
  return (
    <Tooltip label={hint} multiline maw={260}>
      <Badge size="sm" variant="light" color="weld" tt="none" tabIndex={0}>
        {label}
      </Badge>
    </Tooltip>
  );
}

export const OutdatedMark = () => (
  <DataMark label="Outdated" hint="This node, or one before it, was changed since. Run it again." />
);
