import type { FailedHttpResponse, RunError } from '@/contract/execution';
import { writeFailureSentence } from '@/contract/failures/failure-record';
import {
  FAILURE_RECORDS,
  type FailureParametersByCode,
  type ParameterizedFailureCode,
} from '@/contract/failures/failures';

/** Details of a failure: its parameters, the expression, or the response. */
interface FailureDetails {
  parameters?: RunError['parameters'];
  expression?: RunError['expression'];
  answer?: FailedHttpResponse;
}

/** Thrown by a node to fail with a stable code. Any other error becomes INTERNAL. */
export class NodeFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** False: a retry would fail in the same way. */
    readonly retriable = true,
    /** The minimum delay before the next try, in milliseconds (Retry-After). */
    readonly retryAfterMs = 0,
    readonly by: FailureDetails = {},
  ) {
    super(message);
  }
}

interface FailureOptions extends Omit<FailureDetails, 'parameters'> {
  isRetriable?: boolean;
  retryAfterMs?: number;
}

/** The failure of a code with parameters. Its message is the sentence of the code in `contract/failures`. */
export function createNodeFailure<Code extends ParameterizedFailureCode>(
  code: Code,
  parameters: FailureParametersByCode[Code],
  { isRetriable = false, retryAfterMs = 0, ...details }: FailureOptions = {},
): NodeFailure {
  const present = Object.fromEntries(
    Object.entries<string | number | undefined>(parameters).filter(
      (entry): entry is [string, string | number] => entry[1] !== undefined,
    ),
  );
  const message = writeFailureSentence(FAILURE_RECORDS[code].sentence, present);
  return new NodeFailure(code, message, isRetriable, retryAfterMs, { ...details, parameters: present });
}

/** The failure of a field of the config. `field`: its path in the config. */
export const createConfigFailure = (field: string, problem: string): NodeFailure =>
  createNodeFailure('CONFIG', { field: `config.${field}`, problem });
