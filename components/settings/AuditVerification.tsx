import { Alert, Button } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/trpc';
import { FailureNote } from '../ui/FailureNote';

/** Proves, when asked, that no entry was changed, removed or moved. */
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
        Verify
      </Button>
      {error && <FailureNote title="It can’t be verified" error={error} />}
      {data && (
        <Alert
          color={data.valid ? 'verdigris' : 'madder'}
          mt="sm"
          role="status"
          title={data.valid ? 'Whole' : 'Broken'}
        >
          {data.valid
            ? `${data.entries} entries are as they were written.`
            : `The chain breaks at ${data.firstBroken ?? 'an unknown entry'}: ${data.reason ?? 'no reason given'}`}
        </Alert>
      )}
    </>
  );
}
