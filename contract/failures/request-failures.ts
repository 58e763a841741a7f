import type { FailureRecord } from './failure-record';

/** What fails when a node calls another service. */
export const REQUEST_FAILURES = {
  TIMEOUT: {
    title: 'It took too long',
    advice: 'The timeout was exceeded. Increase the timeout in the settings of the node or of the workflow.',
    parameters: { subject: 'text', timeoutMs: 'number' },
    sentence: '{subject} took longer than {timeoutMs} ms.',
  },
  HTTP_STATUS: {
    title: 'The server refused the request',
    advice: 'Check the response, the URL and the credential.',
    parameters: { server: 'text', status: 'number', reason: 'text?' },
    sentence: '{server} answered {status}[: {reason}]',
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
  TOO_MANY_REDIRECTS: { title: 'The URL redirects too often', advice: 'Use the final URL.' },
  EGRESS_DENIED: {
    title: 'The address is not public',
    advice: 'The address is in a private network. The operator of the service can allow it.',
  },
  PAGINATION: { title: 'The pages can’t be read', advice: 'Correct the settings of the pagination.' },
  PAGINATION_LOOP: { title: 'The pages repeat', advice: 'Check where the next page comes from.' },
} as const satisfies Record<string, FailureRecord>;
