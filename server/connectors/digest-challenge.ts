/** A challenge of a WWW-Authenticate header. */
export interface AuthChallenge {
  /** In lower case. */
  scheme: string;
  /** Names are in lower case. */
  parameters: ReadonlyMap<string, string>;
}

const SEPARATOR_PATTERN = /[\s,]*/y;
const SCHEME_TOKEN_PATTERN = /[\w!#$%&'*+.^`|~-]+/y;
const EQUALS_SIGN_PATTERN = /\s*=\s*/y;
const PARAMETER_VALUE_PATTERN = /"((?:[^"\\]|\\.)*)"|([^\s,"]*)/y;

function matchSticky(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * The challenges of a WWW-Authenticate header, of which several may be joined (RFC 9110, section 11.6.1), in linear
 * time. What cannot be read ends them.
 */
export function parseAuthChallenges(header: string): AuthChallenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  for (let at = 0; ;) {
    at += matchSticky(SEPARATOR_PATTERN, header, at)?.[0].length ?? 0;
    const word = matchSticky(SCHEME_TOKEN_PATTERN, header, at)?.[0];
    if (word === undefined) return challenges;
    at += word.length;
    const equals = matchSticky(EQUALS_SIGN_PATTERN, header, at)?.[0];
    const current = challenges.at(-1);
    if (equals === undefined || !current) {
      challenges.push({ scheme: word.toLowerCase(), parameters: new Map() });
      continue;
    }
    at += equals.length;
    const [whole = '', quoted, plain = ''] = matchSticky(PARAMETER_VALUE_PATTERN, header, at) ?? [];
    at += whole.length;
    current.parameters.set(word.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain);
  }
}
