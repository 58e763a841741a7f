import { StreamLanguage, type StringStream } from '@codemirror/language';

interface HighlightState {
  /** Within `{{ }}`. */
  isInside: boolean;
  isComment: boolean;
  /** Open braces of the expression. */
  depth: number;
  /** The depths at which the substitutions of open template literals end; -1: in the text of one. */
  literals: number[];
  /** A slash begins a regular expression, and is no division. */
  mayBeRegex: boolean;
}

/** Patterns of tokens with their highlight style; after some of them a slash begins a regular expression. */
const JAVASCRIPT_TOKEN_PATTERNS: [pattern: RegExp, style: string | null, isBeforeRegex: boolean][] = [
  [/^"(?:[^"\\]|\\.)*("|$)/, 'string', false],
  [/^'(?:[^'\\]|\\.)*('|$)/, 'string', false],
  [/^(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?)n?/, 'number', false],
  [/^(?:const|let|return|if|else|for|of|in|typeof|instanceof|new|void|function|while|switch|case)\b/, 'keyword', true],
  [/^(?:true|false|null|undefined|NaN|Infinity)\b/, 'bool', false],
  [/^(?:input|nodes|execution|vars|item|index|items|cursor)\b/, 'keyword', false],
  [/^(?:helpers|DateTime|Intl|URL|Math|JSON|Object|Array|Number|String|Date)\b/, 'variableName.function', false],
  [/^[\p{L}_$][\p{L}\p{N}_$]*/u, 'propertyName', false],
  [/^(?:=>|\?\.|\?\?|&&|\|\||\.\.\.|[-+*/%<>=!&|^?:~]+)/, 'operator', true],
  [/^[)\]]/, null, false],
];
const REGEX_PATTERN = /^\/(?![/*])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/;

/** The text of a template literal up to its end or a substitution. */
function highlightLiteral(stream: StringStream, state: HighlightState): string {
  while (!stream.eol()) {
    if (stream.match('${')) {
      state.literals[state.literals.length - 1] = state.depth;
      state.mayBeRegex = true;
      return 'string';
    }
    const letter = stream.next();
    if (letter === '\\') stream.next();
    if (letter === '`') {
      state.literals.pop();
      state.mayBeRegex = false;
      return 'string';
    }
  }
  return 'string';
}

function highlightBrace(letter: '{' | '}', state: HighlightState): string {
  state.mayBeRegex = true;
  if (letter === '{') state.depth += 1;
  else if (state.literals.at(-1) === state.depth) {
    state.literals[state.literals.length - 1] = -1;
    return 'string';
  } else state.depth = Math.max(0, state.depth - 1);
  return 'brace';
}

function highlightToken(stream: StringStream, state: HighlightState, isBare: boolean): string | null {
  if (state.isComment || stream.match('/*')) {
    state.isComment = !stream.skipTo('*/');
    if (state.isComment) stream.skipToEnd();
    else stream.match('*/');
    return 'comment';
  }
  if (state.literals.at(-1) === -1) return highlightLiteral(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match('//')) {
    if (isBare || !stream.skipTo('}}')) stream.skipToEnd();
    return 'comment';
  }
  if (stream.match('`')) {
    state.literals.push(-1);
    return 'string';
  }
  if (stream.match('{')) return highlightBrace('{', state);
  if (stream.match('}')) return highlightBrace('}', state);
  if (state.mayBeRegex && stream.match(REGEX_PATTERN)) {
    state.mayBeRegex = false;
    return 'regexp';
  }
  for (const [pattern, style, isBeforeRegex] of JAVASCRIPT_TOKEN_PATTERNS)
    if (stream.match(pattern)) {
      state.mayBeRegex = isBeforeRegex;
      return style;
    }
  stream.next();
  state.mayBeRegex = true;
  return null;
}

const startHighlighting = (isInside: boolean): HighlightState => ({
  isInside,
  isComment: false,
  depth: 0,
  literals: [],
  mayBeRegex: true,
});

/**
 * Highlighting for expressions in JavaScript. Unless `isBare`, text outside `{{ }}` is plain. Braces inside objects,
 * texts and comments do not end an expression, as in the parser.
 */
export const javascriptHighlighting = (isBare: boolean) =>
  StreamLanguage.define<HighlightState>({
    name: 'javascript-expression',
    startState: () => startHighlighting(isBare),
    copyState: (state) => ({ ...state, literals: [...state.literals] }),
    token(stream, state) {
      const isOutermost = state.depth === 0 && state.literals.length === 0 && !state.isComment;
      if (!isBare && state.isInside && isOutermost && stream.match('}}')) {
        Object.assign(state, startHighlighting(false));
        return 'brace';
      }
      if (state.isInside) return highlightToken(stream, state, isBare);
      if (stream.match('{{')) {
        state.isInside = true;
        return 'brace';
      }
      if (!stream.skipTo('{{')) stream.skipToEnd();
      return null;
    },
    languageData: { closeBrackets: { brackets: ['(', '[', '{', '"', "'", '`'] } },
  });
