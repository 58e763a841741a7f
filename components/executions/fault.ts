/** Where in which field an expression went wrong, as the service tells it in its message. */
export interface ExpressionFault {
  field: string;
  message: string;
  source: string;
  /** From where on in `source`. */
  at: number;
}

/** Reads `Node a, config.url: Unknown operator (at position 3 of "1 + )")`. Undefined: it says nothing of the kind. */
export function expressionFault(message: string): ExpressionFault | undefined {
  const found = /config\.(\S+): (.*) \(at position (\d+) of "(.*)"\)$/s.exec(message);
  if (!found) return undefined;
  const [, field = '', what = '', position = '1', source = ''] = found;
  return { field, message: what, source, at: Math.max(0, Math.min(Number(position) - 1, source.length - 1)) };
}

/** What may be done about a failure, by its code. */
const ADVICE: Record<string, string> = {
  TIMEOUT: 'It took longer than it may. The time limit is among the node’s settings; other tries may help, too.',
  HTTP_STATUS: 'The other side refused. Look at its answer above, at the address and at the credential.',
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
