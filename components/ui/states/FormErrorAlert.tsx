import { Alert } from '@mantine/core';

/** An error above a form that belongs to no field. */
export function FormErrorAlert({ children }: { children: string | null | undefined }) {
  if (!children) return null;
  return (
    <Alert color="madder" role="alert">
      {children}
    </Alert>
  );
}
