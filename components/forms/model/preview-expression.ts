import type jsonata from 'jsonata';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { EXPRESSION_FUNCTIONS } from '@/contract/workflows/expression-functions';
import type { ExecutionResponse, TriggerVariable } from '@/contract/execution';

/** The run itself, as expressions see it. */
export interface ExecutionVariables {
  id: string;
  workflowId: string;
  input: unknown;
  trigger: TriggerVariable;
  /** The addresses of nodes that wait for calls; previews know their names only. */
  resumeUrls: Record<string, string | undefined>;
}

/** The run in the scope of a preview; undefined: there is none yet, only the names are known. */
export const buildExecutionVariables = (
  run: PreviewedExecution | undefined,
  takers: string[] = [],
): ExecutionVariables => ({
  id: run?.id ?? '',
  workflowId: run?.workflowId ?? '',
  input: run?.input,
  trigger: { kind: run?.trigger ?? 'manual', ...(run?.triggeredBy ?? { id: null, name: null }) },
  resumeUrls: Object.fromEntries(takers.map((id) => [id, undefined])),
});

type PreviewedExecution = Pick<ExecutionResponse, 'id' | 'workflowId' | 'trigger'> &
  Partial<Pick<ExecutionResponse, 'input' | 'triggeredBy'>>;

/** The variables of expressions, taken from an earlier run. */
export type PreviewScope = {
  input: unknown;
  nodes: Record<string, unknown>;
  execution: ExecutionVariables;
  /** Variables of the workspace; undefined: not known. */
  vars?: Readonly<Record<string, unknown>>;
  /** In a node that runs for each item of a list. */
  item?: unknown;
  index?: number;
  items?: unknown[];
  /** The items of nodes before that the item came from, by node id. */
  paired?: Readonly<Record<string, unknown>>;
};

/** An error with its range in the text. */
export interface PreviewProblem {
  problem: string;
  from: number;
  to: number;
}

/** `laterFor` names a function or `vars`, which only a run can compute. */
export type PreviewResult = { value: unknown } | { laterFor: string } | PreviewProblem;

const SERVICE_FUNCTION_PATTERN = new RegExp(`\\$(?:${EXPRESSION_FUNCTIONS.map(({ name }) => name).join('|')})\\b`);

const findRunOnlyName = (source: string, { vars, paired }: PreviewScope): string | undefined =>
  SERVICE_FUNCTION_PATTERN.exec(source)?.[0] ??
  (paired ? undefined : /\bpaired\b(?=\s*\.)/.exec(source)?.[0]) ??
  (vars ? undefined : /\bvars\b/.exec(source)?.[0]);

type JsonataParser = typeof jsonata;
type TemplatePart = { text: string } | { source: string; at: number };

/** JSONata is loaded at first use. */
const loadJsonata = async (): Promise<JsonataParser> => (await import('jsonata')).default;

/**
 * Evaluates a text with expressions: a single expression keeps its type, several are joined to text. `isBare`: the
 * whole text is an expression. For previews of JSONata only; the service evaluates by itself.
 */
export async function previewExpression(text: string, scope: PreviewScope, isBare: boolean): Promise<PreviewResult> {
  const jsonata = await loadJsonata();
  const parts = splitTemplate(jsonata, text, isBare);
  if ('problem' in parts) return parts;
  const values: unknown[] = [];
  for (const part of parts) {
    if ('text' in part) {
      values.push(part.text);
      continue;
    }
    const later = findRunOnlyName(part.source, scope);
    if (later) return { laterFor: later };
    try {
      values.push(await jsonata(part.source).evaluate(scope));
    } catch (error) {
      return parserProblem(error, part);
    }
  }
  return { value: values.length === 1 ? values[0] : values.map(previewText).join('') };
}

/** Evaluates every text in a JSON value. Returns the first problem, if any. */
export async function previewJsonValue(value: unknown, scope: PreviewScope): Promise<PreviewResult> {
  if (typeof value === 'string') return previewExpression(value, scope, false);
  if (typeof value !== 'object' || value === null) return { value };
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const outcome = await previewJsonValue(inner, scope);
    if (!('value' in outcome)) return outcome;
    entries.push([name, outcome.value]);
  }
  return { value: Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries) };
}

/** The parser of a language, which is loaded at first use. It throws at an error of the syntax. */
export const loadExpressionParser = async (language: ExpressionLanguage): Promise<(source: string) => unknown> =>
  language === 'javascript' ? (await import('@/import/languages/javascript-syntax')).readJavascript : loadJsonata();

/** The syntax error of a text, without evaluating it. */
export async function findSyntaxProblem(
  text: string,
  isBare: boolean,
  language: ExpressionLanguage,
): Promise<PreviewProblem | undefined> {
  const parts = splitTemplate(await loadExpressionParser(language), text, isBare);
  return 'problem' in parts ? parts : undefined;
}

/** The texts and expressions of a text. `parse` throws at an error of the syntax. */
export function splitTemplate(
  parse: (source: string) => unknown,
  text: string,
  isBare: boolean,
): TemplatePart[] | PreviewProblem {
  const read = (source: string, at: number): PreviewProblem | undefined => {
    try {
      parse(source);
      return undefined;
    } catch (error) {
      return parserProblem(error, { source, at });
    }
  };
  if (isBare && !/^\s*\{\{.*\}\}\s*$/s.test(text)) return read(text, 0) ?? [{ source: text, at: 0 }];
  const parts: TemplatePart[] = [];
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('{{', at);
    if (open !== at) parts.push({ text: text.slice(at, open === -1 ? undefined : open) });
    if (open === -1) break;
    const end = findClosingBraces(text, open + 2, (source) => !read(source, 0));
    if (end === -1) return { problem: '“{{” is not closed by “}}”', from: open, to: text.length };
    const part = { source: text.slice(open + 2, end), at: open + 2 };
    const problem = read(part.source, part.at);
    if (problem) return problem;
    parts.push(part);
    at = end + 2;
  }
  // Whitespace around a single expression is ignored.
  const [only] = parts.filter((part) => !('text' in part) || part.text.trim() !== '');
  return isBare && only ? [only] : parts;
}

/** The first `}}` that ends a valid expression, because `}}` may also occur inside; otherwise the first one. */
function findClosingBraces(text: string, from: number, isReadable: (source: string) => boolean): number {
  const first = text.indexOf('}}', from);
  for (let end = first, tries = 0; end !== -1 && tries < 50; end = text.indexOf('}}', end + 1), tries += 1)
    if (isReadable(text.slice(from, end))) return end;
  return first;
}

const previewText = (value: unknown) => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/**
 * Parsers report the end position of the failing token or character; without a position the whole expression is marked.
 */
function parserProblem(error: unknown, { source, at }: { source: string; at: number }): PreviewProblem {
  const { message = 'Syntax error', position, token } = error as Partial<ParserErrorFields>;
  if (position === undefined || position <= 0) return { problem: message, from: at, to: at + source.length };
  const word = typeof token === 'string' && token !== '(end)' ? token.length : 1;
  const to = Math.min(position, source.length);
  return { problem: message, from: at + Math.max(0, to - word), to: at + to };
}

interface ParserErrorFields {
  message: string;
  position: number;
  token: unknown;
}
