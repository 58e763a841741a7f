import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { CodeForm } from './CodeForm';

interface Props {
  purpose: 'renew' | 'off';
  onDone(backupCodes?: string[]): void;
  onCancel(): void;
}

/** What weakens an account asks for a code first. */
export function SpendCode({ purpose, onDone, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const renew = useMutation(trpc.mfa.renew.mutationOptions());
  const turnOff = useMutation(trpc.mfa.delete.mutationOptions());
  const { isPending, error } = purpose === 'renew' ? renew : turnOff;
  const finish = (codes?: string[]) => {
    refresh();
    onDone(codes);
  };
  const spend = (code: string) => {
    const given = { body: { code } };
    if (purpose === 'renew') renew.mutate(given, { onSuccess: ({ backupCodes }) => finish(backupCodes) });
    else turnOff.mutate(given, { onSuccess: () => finish() });
  };
  return (
    <CodeForm
      action={purpose === 'off' ? 'Turn off' : 'Make new codes'}
      isDanger={purpose === 'off'}
      isPending={isPending}
      error={error}
      onCode={spend}
      onCancel={onCancel}
    />
  );
}
