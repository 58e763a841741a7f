import { Alert, Anchor, Stack, Text } from '@mantine/core';
import type { SsoProviderResponse } from '@/contract/access/sso';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { JsonView } from '@/components/ui/values/JsonView';
import { TimeAgo } from '@/components/ui/values/TimeAgo';

const SSO_SETUP_LABELS: Record<keyof SsoProviderResponse['setup'], string> = {
  redirectUri: 'Redirect URL',
  acsUrl: 'ACS URL',
  entityId: 'Entity ID of this service',
  metadataUrl: 'Metadata URL',
  sloUrl: 'Sign-out URL of this service',
  certificate: 'Certificate of this service',
};

/** The values for the provider's settings, a test sign-in, and the result of the latest sign-in. */
export function SsoSetup({ provider: { id, type, setup, lastSignIn } }: { provider: SsoProviderResponse }) {
  const start = type === 'saml' ? '/auth/saml' : '/auth/oauth2';
  const values = (Object.keys(SSO_SETUP_LABELS) as (keyof typeof SSO_SETUP_LABELS)[]).flatMap((name) => {
    const value = setup[name];
    return value ? [{ label: SSO_SETUP_LABELS[name], value }] : [];
  });
  return (
    <Stack gap="sm">
      <Text size="sm" fw={570}>
        Copy these values to the provider’s settings
      </Text>
      {values.map(({ label, value }) => (
        <CopyableField key={label} label={label} value={value} />
      ))}
      <Anchor
        href={`${start}?provider=${encodeURIComponent(id)}&response=test`}
        target="_blank"
        rel="noopener"
        size="sm"
      >
        Test the sign-in in a new tab (does not sign you in)
      </Anchor>
      {lastSignIn && (
        <Alert
          color={lastSignIn.isOk ? 'verdigris' : 'madder'}
          title={lastSignIn.isOk ? 'The latest sign-in worked' : 'The latest sign-in failed'}
        >
          <Text size="sm">
            <TimeAgo at={lastSignIn.at} /> {lastSignIn.reason}
          </Text>
          <JsonView label="Claims of the provider" value={lastSignIn.claims} />
        </Alert>
      )}
    </Stack>
  );
}
