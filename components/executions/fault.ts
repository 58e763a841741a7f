import type { RunError } from '@/contract/execution';

/** An expression that failed. */
export interface ExpressionFault {
  field: string;
  message: string;
  source: string;
  /** The failing range of `source`. */
  from: number;
  to: number;
}

/** The service reports the end position: the failing part is the name before it with its bracket, or one character. */
const FAILED_TOKEN = /(?:\$?[\w.]+\(?|[^])$/;

/** The failed expression of an error with its position; undefined: the error has none. */
export function expressionFault({ message, expression }: Pick<RunError, 'message' | 'expression'>) {
  if (!expression) return undefined;
  const source = expression.source.trim();
  const ahead = expression.source.length - expression.source.trimStart().length;
  const to = Math.max(1, Math.min(expression.position - ahead, source.length));
  const from = FAILED_TOKEN.exec(source.slice(0, to))?.index ?? 0;
  // `Node a, config.url: Unknown operator (at position 3 of "1 + )")`: only the middle part is needed, the rest is
  // shown separately.
  const said = /^Node .*?: (.*) \(at position \d+ of ".*"\)$/s.exec(message)?.[1] ?? message;
  return {
    field: expression.field.replace(/^config\./, ''),
    message: said,
    source,
    from,
    to,
  } satisfies ExpressionFault;
}

/** Advice by error code. */
const ADVICE: Record<string, string> = {
  TIMEOUT: 'The timeout was exceeded. Increase the timeout in the settings of the node or of the workflow.',
  HTTP_STATUS: 'The server refused the request. Check the response, the URL and the credential.',
  CREDENTIAL_MISSING: 'Choose a credential in the node’s parameters.',
  CREDENTIAL_KIND: 'Choose another credential in the node’s parameters.',
  CREDENTIAL_REFUSED: 'Test the credential in the node’s parameters. If needed, connect it again.',
  CREDENTIAL_EXPIRED: 'Connect the account again, then run again from this node.',
  TOO_MANY_SECRETS: 'Use fewer credentials in one workflow, or credentials with fewer secrets.',
  EGRESS_DENIED: 'The address is in a private network. The operator of the service can allow it.',
  CODE_MEMORY: 'Reduce the memory of the code, for example by processing fewer items at a time.',
  CODE_TIMEOUT: 'Reduce the work of the code, or raise the timeout in the node’s settings.',
  CRASHED: 'A running node may need more memory than available. Process less data at a time.',
  CANCELLED: 'Someone cancelled the run. You can run it again.',
};

export const adviceOn = (code: string): string | undefined => ADVICE[code];
