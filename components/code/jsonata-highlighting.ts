import { StreamLanguage, type StringStream } from '@codemirror/language';

interface HighlightState {
  /** Within `{{ }}`. */
  isInside: boolean;
}

/** Patterns of tokens with their highlight style. */
const JSONATA_TOKEN_PATTERNS: [RegExp, string][] = [
  [/^\/\*.*?(\*\/|$)/, 'comment'],
  [/^"(?:[^"\\]|\\.)*("|$)/, 'string'],
  [/^'(?:[^'\\]|\\.)*('|$)/, 'string'],
  [/^`[^`]*(`|$)/, 'propertyName'],
  [/^\d+(\.\d+)?(e[+-]?\d+)?/i, 'number'],
  [/^\$\w*/, 'variableName.function'],
  [/^(and|or|in|function)\b/, 'keyword'],
  [/^(true|false|null)\b/, 'bool'],
  [/^(input|nodes|execution|vars)\b/, 'keyword'],
  [/^[A-Za-z_]\w*/, 'propertyName'],
  [/^(:=|~>|!=|<=|>=|\*\*|\.\.|[-+*/%<>=&^?:@#])/, 'operator'],
];

function highlightToken(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  for (const [pattern, style] of JSONATA_TOKEN_PATTERNS) if (stream.match(pattern)) return style;
  stream.next();
  return null;
}

/** Highlighting for JSONata. Unless `isBare`, text outside `{{ }}` is plain. */
export const jsonataHighlighting = (isBare: boolean) =>
  StreamLanguage.define<HighlightState>({
    name: 'jsonata',
    startState: () => ({ isInside: isBare }),
    token(stream, state) {
      if (stream.match(state.isInside ? '}}' : '{{')) {
        state.isInside = isBare || !state.isInside;
        return 'brace';
      }
      if (state.isInside) return highlightToken(stream);
      if (!stream.skipTo('{{')) stream.skipToEnd();
      return null;
    },
    languageData: { closeBrackets: { brackets: ['(', '[', '{', '"', '`'] } },
  });
