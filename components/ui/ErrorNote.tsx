import { Alert } from '@mantine/core';

/** Above the fields of a form: what belongs to none of them. */
export function ErrorNote({ children }: { children: string | null | undefined }) {
  if (!children) return null;
  return (
    <Alert color="madder" role="alert">
      {children}
    </Alert>
  );
}
