import type { FailureRecord } from './failure-record';

type StatusAdvice = Pick<FailureRecord, 'title' | 'advice'>;

/** Statuses that say more than that a request was refused. */
const HTTP_STATUS_ADVICE: Record<number, StatusAdvice> = {
  400: {
    title: 'The server did not understand the request',
    advice: 'Check the fields that are sent: the response often names one.',
  },
  401: {
    title: 'The server does not know who is calling',
    advice: 'Choose a credential, or test the one that is chosen.',
  },
  403: { title: 'The server refuses access', advice: 'The account of the credential may lack a permission.' },
  404: { title: 'The server has nothing at this URL', advice: 'Check the path of the URL, and the ids in it.' },
  405: {
    title: 'The URL does not take this method',
    advice: 'Check the method, such as GET or POST, in the documentation of the API.',
  },
  409: { title: 'The server has a conflict', advice: 'What was sent exists already, or was changed meanwhile.' },
  413: { title: 'The request is too large for the server', advice: 'Send less at a time.' },
  415: { title: 'The server does not take this format', advice: 'Check “Send body as” and the header Content-Type.' },
  422: {
    title: 'The server refused the values',
    advice: 'Check the fields that are sent: the response often names one.',
  },
  429: {
    title: 'The server is called too often',
    advice: 'Set retries in the settings of the node, or make fewer calls at a time.',
  },
};

const SERVER_ERROR_ADVICE: StatusAdvice = {
  title: 'The server has a fault',
  advice: 'Try again later, or set retries in the settings of the node. The response may say more.',
};

/** What a status of HTTP says, and what to do about it. Undefined: it says no more than the code HTTP_STATUS. */
export const describeHttpStatus = (status: number): StatusAdvice | undefined =>
  HTTP_STATUS_ADVICE[status] ?? (status >= 500 && status < 600 ? SERVER_ERROR_ADVICE : undefined);
