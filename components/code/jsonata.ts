import { StreamLanguage, type StringStream } from '@codemirror/language';

interface State {
  /** Within `{{ }}`. */
  isInside: boolean;
}

/** Patterns of tokens with their highlight style. */
const TOKENS: [RegExp, string][] = [
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

function inExpression(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  for (const [pattern, style] of TOKENS) if (stream.match(pattern)) return style;
  stream.next();
  return null;
}

/** Highlighting for JSONata. Unless `isBare`, text outside `{{ }}` is plain. */
export const jsonata = (isBare: boolean) =>
  StreamLanguage.define<State>({
    name: 'jsonata',
    startState: () => ({ isInside: isBare }),
    token(stream, state) {
      if (stream.match(state.isInside ? '}}' : '{{')) {
        state.isInside = isBare || !state.isInside;
        return 'brace';
      }
      if (state.isInside) return inExpression(stream);
      if (!stream.skipTo('{{')) stream.skipToEnd();
      return null;
    },
    languageData: { closeBrackets: { brackets: ['(', '[', '{', '"', '`'] } },
  });
