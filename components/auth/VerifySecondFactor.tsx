import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { CodeForm } from './CodeForm';

/** Asks for a code of the second factor before the session may continue. */
export function VerifySecondFactor({ onDone }: { onDone(): void }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const finish = () => {
    refresh();
    onDone();
  };
  const { mutate, isPending, error } = useMutation(trpc.mfa.verify.mutationOptions({ onSuccess: finish }));
  return (
    <CodeForm action="Continue" isPending={isPending} error={error} onCode={(code) => mutate({ body: { code } })} />
  );
}
