import { Alert, Anchor, Stack, Text } from '@mantine/core';
import type { SsoProvider } from '@/contract/sso';
import { CopyField } from '../ui/CopyField';
import { JsonView } from '../ui/JsonView';
import { TimeAgo } from '../ui/TimeAgo';

const LABELS: Record<keyof SsoProvider['setup'], string> = {
  redirectUri: 'Redirect URL',
  acsUrl: 'ACS URL',
  entityId: 'Entity id of this service',
  metadataUrl: 'Metadata URL',
  sloUrl: 'Sign-out URL of this service',
  certificate: 'Certificate of this service',
};

/** What the provider needs to know of this service, a way to try it, and how the latest sign-in went. */
export function SsoSetup({ provider: { id, type, setup, lastSignIn } }: { provider: SsoProvider }) {
  const start = type === 'saml' ? '/auth/saml' : '/auth/oauth2';
  const values = (Object.keys(LABELS) as (keyof typeof LABELS)[]).flatMap((name) => {
    const value = setup[name];
    return value ? [{ label: LABELS[name], value }] : [];
  });
  return (
    <Stack gap="sm">
      <Text size="sm" fw={570}>
        Copy these into the provider’s settings
      </Text>
      {values.map(({ label, value }) => (
        <CopyField key={label} label={label} value={value} />
      ))}
      <Anchor
        href={`${start}?provider=${encodeURIComponent(id)}&response=test`}
        target="_blank"
        rel="noopener"
        size="sm"
      >
        Try a sign-in in a new tab (nobody is signed in by it)
      </Anchor>
      {lastSignIn && (
        <Alert
          color={lastSignIn.isOk ? 'verdigris' : 'madder'}
          title={lastSignIn.isOk ? 'The latest worked' : 'The latest failed'}
        >
          <Text size="sm">
            <TimeAgo at={lastSignIn.at} /> {lastSignIn.reason}
          </Text>
          <JsonView label="What the provider said" value={lastSignIn.claims} />
        </Alert>
      )}
    </Stack>
  );
}
