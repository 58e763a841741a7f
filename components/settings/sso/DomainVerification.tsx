import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SsoDomainVerification, SsoProviderResponse } from '@/contract/access/sso';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';

interface Props {
  provider: SsoProviderResponse;
  /** Called with the updated domains after a check. */
  onChecked(domains: SsoDomainVerification[]): void;
}

/** The domains of a provider with their verification. */
export function DomainVerification({ provider: { id, domainVerification }, onChecked }: Props) {
  if (domainVerification.length === 0) return null;
  const replaced = (checked: SsoDomainVerification) =>
    onChecked(domainVerification.map((one) => (one.domain === checked.domain ? checked : one)));
  return (
    <Stack gap="sm">
      <Text size="sm" fw={570}>
        Verified domains
      </Text>
      <Text size="sm" c="dimmed">
        The sign-in page offers this provider to users with an email in a verified domain. New users of the domain can
        join.
      </Text>
      {domainVerification.map((domain) => (
        <DomainCheck key={domain.domain} providerId={id} domain={domain} onChecked={replaced} />
      ))}
    </Stack>
  );
}

interface DomainCheckProps {
  providerId: string;
  domain: SsoDomainVerification;
  onChecked(domain: SsoDomainVerification): void;
}

function DomainCheck({ providerId: id, domain: { domain, isVerified, record }, onChecked }: DomainCheckProps) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const verify = useMutation(
    trpc.ssoProviders.verifyDomain.mutationOptions({
      onSuccess: ({ problem: _, ...checked }) => {
        refresh();
        onChecked(checked);
      },
    }),
  );
  const problem = verify.error ? readApiError(verify.error).message : verify.data?.problem;
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Group gap={6}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {domain}
          </Text>
          <Badge variant="light" tt="none" color={isVerified ? 'verdigris' : 'weld'} miw="max-content">
            {isVerified ? 'verified' : 'not verified'}
          </Badge>
        </Group>
        {!isVerified && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Verify ${domain}`}
            loading={verify.isPending}
            onClick={() => verify.mutate({ params: { id, domain } })}
          >
            Verify
          </Button>
        )}
      </Group>
      {!isVerified && (
        <>
          <CopyableField
            label={`TXT record for ${domain}`}
            description="Add this TXT record to the DNS of the domain, then verify. In a self-hosted installation, an owner of the workspace can verify without it."
            value={record}
          />
          {verify.error ? <FormErrorAlert>{problem}</FormErrorAlert> : problem && <Alert color="weld">{problem}</Alert>}
        </>
      )}
    </Stack>
  );
}
