import { Alert, Button } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';

/** Verifies on demand that no entry was changed, removed or reordered. */
export function AuditVerification() {
  const trpc = useTRPC();
  const { data, error, isFetching, refetch } = useQuery(trpc.audit.verify.queryOptions(undefined, { enabled: false }));
  return (
    <>
      <Button
        variant="light"
        leftSection={<IconShieldCheck size={17} aria-hidden />}
        loading={isFetching}
        onClick={() => void refetch()}
      >
        Verify integrity
      </Button>
      {error && <RequestErrorAlert title="The audit log can’t be verified" error={error} />}
      {data && (
        <Alert
          color={data.valid ? 'verdigris' : 'madder'}
          mt="sm"
          role="status"
          title={data.valid ? 'Valid' : 'Not valid'}
        >
          {data.valid
            ? `${data.entries} entries are unchanged.`
            : `The hash chain breaks at ${data.firstBroken ?? 'an unknown entry'}: ${data.reason ?? 'unknown reason'}`}
        </Alert>
      )}
    </>
  );
}
