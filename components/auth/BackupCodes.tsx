import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack } from '@mantine/core';

/** Backup codes of the second factor. Each works once, and they are shown only here. */
export function BackupCodes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  return (
    <Stack maw={460}>
      <Alert color="weld" title="Save these backup codes">
        Each code signs you in once without the app. The codes are shown only now.
      </Alert>
      <SimpleGrid cols={2} spacing="xs" aria-label="Backup codes" role="list">
        {codes.map((code) => (
          <Code key={code} fz="sm" role="listitem">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy all'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>I saved them</Button>
      </Group>
    </Stack>
  );
}
