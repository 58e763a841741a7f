import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { RunError } from '@/contract/execution';
import { adviceOn, expressionFault } from './fault';
import classes from './FaultNote.module.css';

/** An error: message, failing expression with its position, and advice. */
export function FaultNote({ error }: { error: Pick<RunError, 'code' | 'message' | 'expression'> }) {
  const fault = expressionFault(error);
  const advice = adviceOn(error.code);
  return (
    <Alert color="madder" icon={<IconAlertTriangle size={18} aria-hidden />} title={error.code}>
      {fault ? (
        <>
          <div>
            {fault.message} in <b>{fault.field}</b>:
          </div>
          <pre className={classes.source}>
            {fault.source.slice(0, fault.from)}
            <mark>{fault.source.slice(fault.from, fault.to) || ' '}</mark>
            {fault.source.slice(fault.to)}
          </pre>
        </>
      ) : (
        <div style={{ overflowWrap: 'anywhere' }}>{error.message}</div>
      )}
      {advice && (
        <Text size="sm" mt={6} c="dimmed">
          {advice}
        </Text>
      )}
    </Alert>
  );
}
