import { Parser, tokTypes, type Options, type Token } from 'acorn';
import type { ExpressionProblem } from '../expression-problem';
import { MAX_DECLARED_NAMES, MAX_EXPRESSION_LENGTH } from '../limits';
import { inspectJavaScript, type JavaScriptReferences } from './references';
import type { JavaScriptTree } from './syntax-tree';
import { compileJavaScriptFastPath } from './fast-path';
import type { FastPathFunction } from '../fast-path';

/** A module is strict, and `await` is a reserved word in it. */
const PARSE_OPTIONS: Options = { ecmaVersion: 2023, sourceType: 'module', allowReturnOutsideFunction: true };

/**
 * The parts of acorn's parser that its plug-ins use
 * (https://github.com/acornjs/acorn/tree/master/acorn#plugin-developments).
 */
interface ParserInternals {
  type: unknown;
  start: number;
  nextToken(): void;
  parseExpression(): JavaScriptTree;
  parseStatement(context: null, isTopLevel: boolean, exports: object): JavaScriptTree;
  declareName(name: string, binding: number, position: number): void;
  raise(position: number, message: string): never;
  unexpected(): never;
}
const AcornParser = Parser as unknown as new (options: Options, text: string) => ParserInternals;

/** Whether an expression ends at the end of the text, or at `}}`. */
export type ExpressionEnd = 'text' | 'braces';

/** A parser that may stop before the end of its text. */
class PartialParser extends AcornParser {
  private declaredNames = 0;

  static open(text: string, tokens?: Token[]): ParserInternals {
    const parser = new PartialParser(tokens ? { ...PARSE_OPTIONS, onToken: tokens } : PARSE_OPTIONS, text);
    parser.nextToken();
    return parser;
  }

  override declareName(name: string, binding: number, position: number): void {
    this.declaredNames += 1;
    if (this.declaredNames > MAX_DECLARED_NAMES)
      this.raise(position, `An expression may declare at most ${MAX_DECLARED_NAMES} names`);
    super.declareName(name, binding, position);
  }
}

/** JavaScript that can be evaluated. */
export interface ParsedJavaScript extends JavaScriptReferences {
  /** `expression`: its value is the result. `statements`: what they return is. */
  form: 'expression' | 'statements';
}

type ReadJavaScript = { tree: JavaScriptTree; form: ParsedJavaScript['form']; end: number };

function requireEnd(parser: ParserInternals, text: string, end: ExpressionEnd): number {
  const isAtEnd =
    end === 'text' ? parser.type === tokTypes.eof : parser.type === tokTypes.braceR && text[parser.start + 1] === '}';
  if (!isAtEnd) parser.unexpected();
  return parser.start;
}

function readExpression(text: string, until: ExpressionEnd, tokens?: Token[]): ReadJavaScript {
  const parser = PartialParser.open(text, tokens);
  const tree = parser.parseExpression();
  return { tree, form: 'expression', end: requireEnd(parser, text, until) };
}

function readStatements(text: string, until: ExpressionEnd, tokens?: Token[]): ReadJavaScript {
  const parser = PartialParser.open(text, tokens);
  const body: JavaScriptTree[] = [];
  while (parser.type !== tokTypes.eof && parser.type !== tokTypes.braceR)
    body.push(parser.parseStatement(null, true, Object.create(null) as object));
  const end = requireEnd(parser, text, until);
  return { tree: { type: 'BlockStatement', start: 0, end, body }, form: 'statements', end };
}

/** A syntax error, with its position in the text. */
function toSyntaxProblem(error: unknown): ExpressionProblem {
  const { message = '', pos = 0 } = error as { message?: string; pos?: number };
  if (error instanceof RangeError || message.includes('stack space'))
    return { message: 'The expression is nested too deeply', position: 0 };
  return { message: message.replace(/ \(\d+:\d+\)$/, ''), position: pos };
}

/**
 * Reads JavaScript as an expression, else as statements. Of two syntax errors the one further on counts: that reading
 * came closer to what was meant.
 */
function readJavaScript(text: string, until: ExpressionEnd): ReadJavaScript | ExpressionProblem {
  try {
    return readExpression(text, until);
  } catch (error) {
    const problem = toSyntaxProblem(error);
    try {
      const read = readStatements(text, until);
      return read.end === 0 || text.slice(0, read.end).trim() === '' ? problem : read;
    } catch (other) {
      const second = toSyntaxProblem(other);
      return second.position >= problem.position ? second : problem;
    }
  }
}

/** What begins a comment of HTML in scripts, but not in modules. */
const HTML_COMMENT = '<!--';

/**
 * The place where a script would see a comment of HTML, so that it would compute something else than what was parsed.
 */
function findHtmlComment(source: string, form: ParsedJavaScript['form']): ExpressionProblem | undefined {
  if (!source.includes(HTML_COMMENT)) return undefined;
  const tokens: Token[] = [];
  if (form === 'expression') readExpression(source, 'text', tokens);
  else readStatements(source, 'text', tokens);
  const opening = tokens.find(({ start }) => source.startsWith(HTML_COMMENT, start));
  return opening && { message: 'Write a space between "<" and "!--"', position: opening.start };
}

/** An expression in a text, and where it ends. */
export interface LocatedJavaScript {
  source: string;
  javascript: ParsedJavaScript;
  fastPath: FastPathFunction | undefined;
  end: number;
}

/**
 * Parses the JavaScript at the beginning of a text, which ends there as `until` says. Never throws. Takes about a
 * microsecond per character.
 */
export function parseJavaScript(text: string, until: ExpressionEnd): LocatedJavaScript | ExpressionProblem {
  const isCut = text.length > MAX_EXPRESSION_LENGTH + 2;
  if (text.length > MAX_EXPRESSION_LENGTH && until === 'text') return LENGTH_PROBLEM;
  const visible = isCut ? text.slice(0, MAX_EXPRESSION_LENGTH + 2) : text;
  const read = readJavaScript(visible, until);
  if (!('tree' in read)) return isCut && read.position >= visible.length ? LENGTH_PROBLEM : read;
  const { tree, form, end } = read;
  if (end > MAX_EXPRESSION_LENGTH) return LENGTH_PROBLEM;
  const source = text.slice(0, end);
  const inspected = inspectJavaScript(tree, form, source);
  const problem = 'message' in inspected ? inspected : findHtmlComment(source, form);
  if (problem) return problem;
  const fastPath = form === 'expression' ? compileJavaScriptFastPath(tree) : undefined;
  return { source, javascript: { ...(inspected as JavaScriptReferences), form }, fastPath, end };
}

const LENGTH_PROBLEM: ExpressionProblem = {
  message: `An expression may have at most ${MAX_EXPRESSION_LENGTH} characters`,
  position: MAX_EXPRESSION_LENGTH,
};
