import type { RunError } from '@/contract/execution';

/** An expression that went wrong. */
export interface ExpressionFault {
  field: string;
  message: string;
  source: string;
  /** What in `source` it stumbled over. */
  from: number;
  to: number;
}

/** A name, with the bracket of its call; else one character. The place that the service tells is where it ends. */
const STUMBLED_OVER = /(?:\$?[\w.]+\(?|[^])$/;

/** What of an error is about one expression, with the place in it; undefined: it is about something else. */
export function expressionFault({ message, expression }: Pick<RunError, 'message' | 'expression'>) {
  if (!expression) return undefined;
  const source = expression.source.trim();
  const ahead = expression.source.length - expression.source.trimStart().length;
  const to = Math.max(1, Math.min(expression.position - ahead, source.length));
  const from = STUMBLED_OVER.exec(source.slice(0, to))?.index ?? 0;
  // `Node a, config.url: Unknown operator (at position 3 of "1 + )")`: the rest says what is shown beside it.
  const said = /^Node .*?: (.*) \(at position \d+ of ".*"\)$/s.exec(message)?.[1] ?? message;
  return {
    field: expression.field.replace(/^config\./, ''),
    message: said,
    source,
    from,
    to,
  } satisfies ExpressionFault;
}

/** What may be done about a failure, by its code. */
const ADVICE: Record<string, string> = {
  TIMEOUT: 'It took longer than it may. The time limit is among the node’s settings; other tries may help, too.',
  HTTP_STATUS: 'The other side refused. Look at its answer, at the address and at the credential.',
  CREDENTIAL_MISSING: 'Choose a credential in the node’s parameters.',
  CREDENTIAL_KIND: 'Choose another credential in the node’s parameters.',
  CREDENTIAL_REFUSED: 'Test the credential in the node’s parameters, and connect it again if need be.',
  CREDENTIAL_EXPIRED: 'Connect the account again; then run again from here.',
  EGRESS_DENIED: 'The address is private. Whoever operates the service can allow such addresses.',
  CODE_MEMORY: 'Let the code hold less at a time, say by working on fewer items.',
  CODE_TIMEOUT: 'Let the code do less at a time, or raise the time limit in the node’s settings.',
  CANCELLED: 'Somebody ended the run. It can be run again.',
};

export const adviceOn = (code: string): string | undefined => ADVICE[code];
