import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { CodeForm } from './CodeForm';

interface Props {
  purpose: 'renew' | 'off';
  onDone(backupCodes?: string[]): void;
  onCancel(): void;
}

/** Asks for a code before an action that weakens the account's protection. */
export function ConfirmWithCode({ purpose, onDone, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const renew = useMutation(trpc.mfa.renew.mutationOptions());
  const turnOff = useMutation(trpc.mfa.delete.mutationOptions());
  const { isPending, error } = purpose === 'renew' ? renew : turnOff;
  const finish = (codes?: string[]) => {
    refresh();
    onDone(codes);
  };
  const submit = (code: string) => {
    const given = { body: { code } };
    if (purpose === 'renew') renew.mutate(given, { onSuccess: ({ backupCodes }) => finish(backupCodes) });
    else turnOff.mutate(given, { onSuccess: () => finish() });
  };
  return (
    <CodeForm
      action={purpose === 'off' ? 'Turn off' : 'Create new codes'}
      isDanger={purpose === 'off'}
      isPending={isPending}
      error={error}
      onCode={submit}
      onCancel={onCancel}
    />
  );
}
