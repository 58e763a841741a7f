/** A challenge of a WWW-Authenticate header. */
export interface Challenge {
  /** In lower case. */
  scheme: string;
  /** Names are in lower case. */
  parameters: ReadonlyMap<string, string>;
}

const BLANKS = /[\s,]*/y;
const TOKEN = /[\w!#$%&'*+.^`|~-]+/y;
const EQUALS = /\s*=\s*/y;
const VALUE = /"((?:[^"\\]|\\.)*)"|([^\s,"]*)/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The challenges of a WWW-Authenticate header, of which several may be joined (RFC 9110, section 11.6.1), in linear time. What cannot be read ends them. */
export function readChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  for (let at = 0; ;) {
    at += matchAt(BLANKS, header, at)?.[0].length ?? 0;
    const word = matchAt(TOKEN, header, at)?.[0];
    if (word === undefined) return challenges;
    at += word.length;
    const equals = matchAt(EQUALS, header, at)?.[0];
    const current = challenges.at(-1);
    if (equals === undefined || !current) {
      challenges.push({ scheme: word.toLowerCase(), parameters: new Map() });
      continue;
    }
    at += equals.length;
    const [whole = '', quoted, plain = ''] = matchAt(VALUE, header, at) ?? [];
    at += whole.length;
    current.parameters.set(word.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain);
  }
}
