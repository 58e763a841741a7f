import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack } from '@mantine/core';

/** Each works once, in place of the authenticator. Shown this once. */
export function BackupCodes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  return (
    <Stack maw={460}>
      <Alert color="weld" title="Keep these backup codes">
        Each lets you in once without the app. They are shown only now.
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
        <Button onClick={onDone}>I kept them</Button>
      </Group>
    </Stack>
  );
}
