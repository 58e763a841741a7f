import type { RunError } from '@/contract/execution';
import { describeHttpError } from './http-fault';
import { CONNECTION_ERROR_ADVICE } from './server-faults';

/** What failed, and what to do about it, by error code. docs/build/errors.md lists the same codes. */
export const RUN_ERROR_ADVICE: Record<string, { title: string; advice: string }> = {
  CONFIG: {
    title: 'A field has a wrong value',
    advice: 'Correct the field. If it has an expression, check the value that it computes.',
  },
  EXPRESSION: { title: 'An expression failed', advice: 'Correct the expression at the marked place.' },
  TIMEOUT: {
    title: 'It took too long',
    advice: 'The timeout was exceeded. Increase the timeout in the settings of the node or of the workflow.',
  },
  HTTP_STATUS: {
    title: 'The server refused the request',
    advice: 'Check the response, the URL and the credential.',
  },
  API_REFUSED: {
    title: 'The service refused the request',
    advice: 'The service answered with an error. Its reason is in the message: check the parameters and the account.',
  },
  NOT_FOUND: {
    title: 'The service has no such object',
    advice: 'Check the name or id in the parameters, and whether the account may see the object.',
  },
  BAD_RESPONSE: {
    title: 'The response can’t be read',
    advice: 'Check that the URL is that of an API. “Read answer as” can be text or file.',
  },
  RESPONSE_NOT_JSON: { title: 'The response is not JSON', advice: 'Check the URL, or read the response as text.' },
  RESPONSE_ENCODING: {
    title: 'The response has another encoding',
    advice: 'Read the response as base64 or as a file.',
  },
  INVALID_URL: {
    title: 'The URL is not valid',
    advice: 'A URL begins with https:// or http://. Check the values of its expressions.',
  },
  INVALID_REQUEST: { title: 'The request is not valid', advice: 'Check method, headers and body.' },
  DNS: { title: 'The host was not found', advice: 'Check the host name in the URL.' },
  CONNECT: {
    title: 'The server can’t be reached',
    advice: 'Check host and port, and whether the server runs. Retries help if it is only sometimes down.',
  },
  TLS: {
    title: 'The certificate of the server is not valid',
    advice: 'Check the host name, and that the certificate is not expired.',
  },
  ...CONNECTION_ERROR_ADVICE,
  TOO_MANY_REDIRECTS: { title: 'The URL redirects too often', advice: 'Use the final URL.' },
  EGRESS_DENIED: {
    title: 'The address is not public',
    advice: 'The address is in a private network. The operator of the service can allow it.',
  },
  CREDENTIAL_MISSING: { title: 'No credential is chosen', advice: 'Choose a credential in the node’s parameters.' },
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
  },
  FORBIDDEN: {
    title: 'The publisher lacks a permission',
    advice: 'A member with the permission can publish the workflow again.',
  },
  TOO_LARGE: {
    title: 'The data is too large',
    advice: 'Request less, for example one page, or read the response as a file.',
  },
  OUTPUT_TOO_LARGE: {
    title: 'The output is too large',
    advice: 'Return fewer items or fields, or store the data in a file or table.',
  },
  OUTPUT_TOO_DEEP: { title: 'The output is nested too deeply', advice: 'Return a flatter structure.' },
  OUTPUT_NOT_JSON: {
    title: 'The output is not JSON',
    advice: 'Return objects, lists, texts, numbers, true, false or null.',
  },
  VALUE_TOO_LARGE: { title: 'A value is too large', advice: 'Store a smaller value, or use a file.' },
  TOO_MANY_ITEMS: {
    title: 'The list has too many items',
    advice: 'Filter the list first, or split the work into several runs.',
  },
  TOO_MANY_ROWS: { title: 'The query has too many rows', advice: 'Add a condition or a limit to the query.' },
  CODE_ERROR: { title: 'The code failed', advice: 'Correct the code. The message names the line.' },
  CODE_MEMORY: {
    title: 'The code needs too much memory',
    advice: 'Reduce the memory of the code, for example by processing fewer items at a time.',
  },
  CODE_TIMEOUT: {
    title: 'The code took too long',
    advice: 'Reduce the work of the code, or raise the timeout in the node’s settings.',
  },
  EVALUATION_TIMEOUT: {
    title: 'The expression took too long',
    advice: 'Simplify the expression, or process fewer items.',
  },
  EVALUATION_MEMORY: { title: 'The expression needs too much memory', advice: 'Process fewer items at a time.' },
  MAX_STEPS: {
    title: 'The agent has no answer after its steps',
    advice: 'Allow more steps, or make its instructions and tools clearer.',
  },
  TOO_MANY_CALLS: { title: 'The model asked for too many calls at once', advice: 'Make its instructions clearer.' },
  BUDGET: {
    title: 'The budget of the agent is used up',
    advice: 'Raise the budget, give it fewer or shorter results, or choose a cheaper model.',
  },
  OUTPUT_SCHEMA: {
    title: 'The answer of the model does not match the schema',
    advice: 'Make the schema simpler, describe its fields, or choose a stronger model.',
  },
  MCP: {
    title: 'The MCP server answered with an error',
    advice: 'Check the URL of the credential, and test it: it has to be an endpoint for streamable HTTP.',
  },
  MCP_TOOL: {
    title: 'The tool of the MCP server failed',
    advice: 'Read its message, and check the name of the tool and its arguments.',
  },
  MODEL_ANSWER: {
    title: 'The answer of the model can’t be read',
    advice: 'Check the provider and the base URL of the credential, and the id of the model.',
  },
  CONVERSATION_TOO_LARGE: {
    title: 'The steps of the agent are too large together',
    advice: 'Let its tools return less, or allow fewer steps.',
  },
  TOOL_HOST: {
    title: 'The tool would have called another address',
    advice: 'The model may fill in the rest of an address only. Check the URL of the tool.',
  },
  MAX_ROUNDS: {
    title: 'The loop did not finish',
    advice: 'Check the expression “Until”, or raise the number of rounds.',
  },
  PAGINATION_LOOP: { title: 'The pages repeat', advice: 'Check where the next page comes from.' },
  CONVERT_FAILED: { title: 'The data can’t be converted', advice: 'Check that the data has the chosen format.' },
  EXPANSION_LIMIT: { title: 'The archive expands too far', advice: 'Archives may expand to 100 times their size.' },
  SQL_ERROR: { title: 'The database refused the statement', advice: 'Check the statement and its parameters.' },
  REDIS_ERROR: { title: 'Redis refused the command', advice: 'Check the type of the key and the values.' },
  TABLE_NOT_FOUND: { title: 'The table does not exist', advice: 'Choose another table.' },
  UNIQUE_CLASH: { title: 'A unique value exists already', advice: 'Use “upsert” to change the row that exists.' },
  FILE_NOT_FOUND: { title: 'The file no longer exists', advice: 'Files are deleted with the last run that uses them.' },
  FILE_QUOTA: {
    title: 'The quota for files is used up',
    advice: 'Delete runs with files, or reduce the retention of runs.',
  },
  FILE_STORAGE: {
    title: 'The file storage can’t be reached',
    advice: 'Run again later. The operator of the service can check the storage.',
  },
  QUOTA: { title: 'A quota is used up', advice: 'Settings, Usage shows the quotas.' },
  SUB_WORKFLOW: { title: 'The sub-workflow failed', advice: 'Open the run of the sub-workflow to see its error.' },
  ABORTED: { title: 'The node was stopped', advice: 'The run was cancelled, or the service stopped.' },
  CONCURRENCY_LIMIT: {
    title: 'Too many runs are in progress',
    advice: 'Raise the limit of concurrent runs, or set retries for the node.',
  },
  CONFLICT: { title: 'Another run changed the data', advice: 'Run again. Set retries if it happens often.' },
  EXPIRED: {
    title: 'The approval expired',
    advice: 'Raise the expiry of the approval, or let it continue at the port “rejected”.',
  },
  NOT_A_NUMBER: {
    title: 'A value is not a number',
    advice: 'Convert the value with $number(), or choose another field.',
  },
  PAGINATION: { title: 'The pages can’t be read', advice: 'Correct the settings of the pagination.' },
  TOO_MANY_FILES: { title: 'There are too many files', advice: 'Process fewer files in one node.' },
  NOT_MOCKED: {
    title: 'The test has no output for this node',
    advice: 'A test calls nothing outside. Give the node a mock in the test.',
  },
  UNKNOWN_TYPE: { title: 'The node type is unknown', advice: 'Replace the node with another type.' },
  EVALUATION_BUSY: {
    title: 'Too many expressions are waiting',
    advice: 'Run again later, or process fewer items at a time.',
  },
  EVALUATION_ENDED: { title: 'The evaluation was interrupted', advice: 'Run again.' },
  TOO_DEEP: { title: 'Sub-workflows are nested too deeply', advice: 'Check whether a workflow runs itself.' },
  TOO_MANY_RUNS: { title: 'The run started too many runs', advice: 'Check whether a workflow runs itself.' },
  WORKFLOW_NOT_FOUND: { title: 'The workflow does not exist', advice: 'Choose another workflow.' },
  WORKFLOW_NOT_READY: { title: 'The workflow can’t run', advice: 'Open the workflow and see its checks.' },
  WORKFLOW_INPUT: { title: 'The workflow refuses its input', advice: 'Pass the fields that its start node requires.' },
  RUN_QUOTA: {
    title: 'The quota of stored runs is used up',
    advice: 'Reduce the retention of runs, or delete workflows.',
  },
  MAIL_NOT_CONFIGURED: { title: 'No email server is set up', advice: 'Choose a credential for an email server.' },
  MAIL_INVALID: { title: 'The email is not valid', advice: 'Check recipients, subject and attachments.' },
  MAIL_QUOTA: {
    title: 'The daily limit of emails is reached',
    advice: 'Wait until the next day (UTC), or choose a credential for your own email server.',
  },
  MAIL_UNVERIFIED: {
    title: 'No owner has confirmed their email address',
    advice: 'An owner of the workspace confirms the address by the link that was sent to it.',
  },
  MAIL_LOGIN: {
    title: 'The mail server refused the user name or the password',
    advice: 'Check the credential. Many providers need a password for apps, and IMAP switched on.',
  },
  MAIL_UNREADABLE: {
    title: 'The message can’t be read',
    advice: 'The message is not valid. Open it in a mail program.',
  },
  MAILBOX_NOT_FOUND: {
    title: 'The mailbox was not found',
    advice: 'Check the name of the folder. Folders in folders are written with the separator of the server.',
  },
  MAIL_REFUSED: { title: 'The email server refused the email', advice: 'Check recipients, sender and credential.' },
  MAIL_UNREACHABLE: { title: 'The email server can’t be reached', advice: 'Check host and port of the email server.' },
  OUTCOME_UNKNOWN: {
    title: 'The outcome is unknown',
    advice:
      'The service stopped during a node that runs at most once. Check at the other service, then run from the next node.',
  },
  CRASHED: {
    title: 'The process crashed',
    advice: 'A running node may need more memory than available. Process less data at a time.',
  },
  RUN_UNREADABLE: { title: 'The stored state of the run cannot be read', advice: 'Start the workflow again.' },
  CANCELLED: {
    title: 'Stopped before the end',
    advice: 'The run was cancelled, or another node of it failed.',
  },
  INTERNAL: {
    title: 'The service has a fault',
    advice: 'Run again. If it happens again, tell the operator of the service.',
  },
};

/** What failed in a sentence, and what to do about it, if that is known. */
export function describeRunError({ code, message }: Pick<RunError, 'code' | 'message'>): {
  title: string;
  advice?: string;
} {
  const known =
    code === 'HTTP_STATUS' ? (describeHttpError(message) ?? RUN_ERROR_ADVICE[code]) : RUN_ERROR_ADVICE[code];
  return known ?? { title: 'The node failed' };
}
