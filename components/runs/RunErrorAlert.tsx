import { Alert, Anchor, Code, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { RunError } from '@/contract/execution';
import { describeFailure } from '@/contract/failures/failures';
import { schemaLabel } from '@/components/forms/model/field-schema';
import { locateExpressionError, findFieldError } from './error-location';
import classes from './RunErrorAlert.module.css';

interface Props {
  error: Pick<RunError, 'code' | 'message' | 'expression' | 'parameters'>;
  /** Shows a field of the node, by its path in the node. Absent if the page does not show the fields. */
  onShowField?: ((field: string) => void) | undefined;
}

/** An error: what failed, the message, the failing expression with its position, advice, and the code. */
export function RunErrorAlert({ error, onShowField }: Props) {
  const fault = locateExpressionError(error);
  const named = fault ? undefined : findFieldError(error);
  const { title, advice } = describeFailure(error.code, error.parameters);
  const field = error.expression?.field ?? named?.field;
  return (
    <Alert color="madder" icon={<IconAlertTriangle size={18} aria-hidden />} title={title}>
      {fault ? (
        <>
          <div>
            {fault.message} in <b>{lastFieldLabel(fault.field)}</b>:
          </div>
          <pre className={classes.source}>
            {fault.source.slice(0, fault.from)}
            <mark>{fault.source.slice(fault.from, fault.to) || ' '}</mark>
            {fault.source.slice(fault.to)}
          </pre>
        </>
      ) : (
        <div style={{ overflowWrap: 'anywhere' }}>
          {named ? (
            <>
              <b>{lastFieldLabel(named.field)}</b>: {named.message}
            </>
          ) : (
            error.message
          )}
        </div>
      )}
      {advice && (
        <Text size="sm" mt={6}>
          {advice}
        </Text>
      )}
      {field && onShowField && (
        <Anchor component="button" type="button" size="sm" mt={6} display="block" onClick={() => onShowField(field)}>
          Show the field
        </Anchor>
      )}
      <Code className={classes.code}>{error.code}</Code>
    </Alert>
  );
}

/** The last name in the path of a field: `config.headers.accept` → `Accept`. */
const lastFieldLabel = (path: string): string =>
  schemaLabel(
    path
      .replace(/\[\d+\]/g, '')
      .split('.')
      .at(-1) ?? path,
    {},
  );
