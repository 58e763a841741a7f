import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { CodeForm } from './CodeForm';

/** Before one goes on: that it is still the one who set the second factor up. */
export function ProveFactor({ onDone }: { onDone(): void }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const finish = () => {
    refresh();
    onDone();
  };
  const { mutate, isPending, error } = useMutation(trpc.mfa.verify.mutationOptions({ onSuccess: finish }));
  return (
    <CodeForm action="Continue" isPending={isPending} error={error} onCode={(code) => mutate({ body: { code } })} />
  );
}
