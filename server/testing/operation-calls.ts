import { expect } from 'vitest';
import { ErrorResponse, HTTP_STATUS_BY_CODE } from '@/contract/error-response';
import { isOpenAccess, workspaceParamIn, type OperationRecord } from '@/server/api/operation/operation';
import { operationTable } from '@/server/api/operations';
import type { Answer } from './factories';

/** All operations, as what they have in common. */
export const allOperations = operationTable as readonly OperationRecord[];

/** Every caller of these is somebody: signed in, and for most a member with a permission. */
export const closedOperations = allOperations.filter(({ access }) => !isOpenAccess(access));

/** An address whose ids do not exist, except for the call's workspace. */
export const addressWithoutObjects = ({ path, access }: OperationRecord, workspaceId: string): string =>
  path.replace(/\{(\w+)(?:\.\.\.)?\}/g, (_, name: string) =>
    name === workspaceParamIn(access) ? workspaceId : name === 'version' ? '1' : 'nothing',
  );

/** The first operation of each kind: the steps of the pipeline see no other difference between them. */
export function pickOneOfEachKind(list: readonly OperationRecord[], kindOf: (operation: OperationRecord) => unknown) {
  const kinds = new Map<string, OperationRecord>();
  for (const operation of list) {
    const kind = JSON.stringify(kindOf(operation));
    if (!kinds.has(kind)) kinds.set(kind, operation);
  }
  return [...kinds.values()].map((operation) => [operation.id, operation] as const);
}

/**
 * A call that is refused: what is wrong with it, its status, a field that its error names, and how its message begins.
 */
export interface RefusedCall {
  what: string;
  status: number;
  field?: string;
  message?: string;
  answer: Promise<Answer<unknown>>;
}

/** Each is the documented error with its status, and has the headers of every answer. The calls run side by side. */
export async function expectRefusals(refusals: RefusedCall[]): Promise<void> {
  const answers = await Promise.all(refusals.map(({ answer }) => answer));
  for (const [index, { what, status, field, message = '' }] of refusals.entries()) {
    const { status: given, headers, body } = answers[index]!;
    const { error } = ErrorResponse.strict().parse(body);
    const found = {
      status: given,
      statusOfCode: HTTP_STATUS_BY_CODE[error.code],
      requestId: headers.get('x-request-id'),
      caching: headers.get('cache-control'),
      limits: ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`)),
      fields: error.details.map((one) => one.field),
      message: error.message,
    };
    expect(found, `${what}: ${JSON.stringify(body)}`).toEqual({
      status,
      statusOfCode: status,
      requestId: expect.stringMatching(/^req_/),
      caching: 'no-store',
      limits: Array.from({ length: 3 }, () => expect.stringMatching(/^\d+$/)),
      fields: field === undefined ? found.fields : expect.arrayContaining([field]),
      message: expect.stringContaining(message),
    });
  }
}
