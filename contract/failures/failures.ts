import { AGENT_FAILURES } from './agent-failures';
import { CREDENTIAL_FAILURES } from './credential-failures';
import { DATA_FAILURES } from './data-failures';
import { EVALUATION_FAILURES } from './evaluation-failures';
import {
  writeFailureSentence,
  type FailureParameters,
  type FailureParameterType,
  type FailureRecord,
} from './failure-record';
import { describeHttpStatus } from './http-statuses';
import { REQUEST_FAILURES } from './request-failures';
import { RUN_FAILURES } from './run-failures';
import { SERVER_FAILURES } from './server-failures';

/** Every code with which nodes and runs fail. docs/build/errors.md lists the same codes and parameters. */
export const FAILURE_RECORDS = {
  ...EVALUATION_FAILURES,
  ...REQUEST_FAILURES,
  ...CREDENTIAL_FAILURES,
  ...SERVER_FAILURES,
  ...DATA_FAILURES,
  ...AGENT_FAILURES,
  ...RUN_FAILURES,
} as const satisfies Record<string, FailureRecord>;

type FailureRecords = typeof FAILURE_RECORDS;

/** The codes whose failures have parameters, from which their messages are written. */
export type ParameterizedFailureCode = {
  [Code in keyof FailureRecords]: FailureRecords[Code] extends { sentence: string } ? Code : never;
}[keyof FailureRecords];

type ParameterValue<Type> = Type extends 'number' | 'number?' ? number : string;

type ParameterValues<Types> = {
  [Name in keyof Types as Types[Name] extends 'text' | 'number' ? Name : never]: ParameterValue<Types[Name]>;
} & {
  [Name in keyof Types as Types[Name] extends 'text?' | 'number?' ? Name : never]?: ParameterValue<Types[Name]>;
};

/** The parameters of failures with a code. */
export type FailureParametersByCode = {
  [Code in ParameterizedFailureCode]: ParameterValues<
    FailureRecords[Code] extends { parameters: infer Types extends Record<string, FailureParameterType> }
      ? Types
      : never
  >;
};

/** A map, because workflows may fail with any code, such as `constructor`. */
const RECORDS_BY_CODE: ReadonlyMap<string, FailureRecord> = new Map(Object.entries<FailureRecord>(FAILURE_RECORDS));

/**
 * What failed in a sentence, and what to do about it, if that is known: workers of a later release may know more codes.
 */
export function describeFailure(
  code: string,
  parameters: Readonly<FailureParameters> = {},
): { title: string; advice?: string } {
  const ofStatus = code === 'HTTP_STATUS' ? describeHttpStatus(Number(parameters['status'])) : undefined;
  return ofStatus ?? RECORDS_BY_CODE.get(code) ?? { title: 'The node failed' };
}

/** The message of a failure with other values of some parameters: the sentence of its code, if that has one. */
export function rewriteFailureMessage(
  { code, message, parameters }: { code: string; message: string; parameters?: FailureParameters },
  changes: Readonly<FailureParameters>,
): string {
  const sentence = RECORDS_BY_CODE.get(code)?.sentence;
  return sentence !== undefined && parameters ? writeFailureSentence(sentence, { ...parameters, ...changes }) : message;
}
