import type { FailureRecord } from './failure-record';

/** What is wrong with a credential, or with what it permits. */
export const CREDENTIAL_FAILURES = {
  CREDENTIAL_MISSING: {
    title: 'No credential is chosen',
    advice: 'Choose a credential in the node’s parameters.',
    parameters: { subject: 'text' },
    sentence: '{subject} needs a credential.',
  },
  CREDENTIAL_KIND: {
    title: 'The credential has the wrong type',
    advice: 'Choose another credential in the node’s parameters.',
  },
  CREDENTIAL_INCOMPLETE: {
    title: 'The credential is not complete',
    advice: 'Open the credential and fill in the missing values.',
  },
  CREDENTIAL_HOST: {
    title: 'The credential may not be sent to this host',
    advice: 'Add the host to the allowed hosts of the credential, or correct the URL.',
  },
  CREDENTIAL_REFUSED: {
    title: 'The service refused the credential',
    advice: 'Test the credential in the node’s parameters. If needed, connect it again.',
  },
  CREDENTIAL_REFRESH: {
    title: 'The token could not be renewed',
    advice: 'Run again later. If it happens again, connect the account again.',
  },
  CREDENTIAL_EXPIRED: {
    title: 'The account must be connected again',
    advice: 'Connect the account again, then run again from this node.',
  },
  TOO_MANY_SECRETS: {
    title: 'The workflow uses too many secrets',
    advice: 'Use fewer credentials in one workflow, or credentials with fewer secrets.',
    parameters: { maxCharacters: 'number' },
    sentence: 'The secrets of all credentials of one run have at most {maxCharacters} characters combined.',
  },
  FORBIDDEN: {
    title: 'The publisher lacks a permission',
    advice: 'A member with the permission can publish the workflow again.',
  },
} as const satisfies Record<string, FailureRecord>;
