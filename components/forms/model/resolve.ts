import type jsonata from 'jsonata';
import { EXPRESSION_FUNCTIONS } from '@/contract/workflows/expression-functions';
import type { Execution, RunTrigger } from '@/contract/execution';

/** The run itself, as expressions see it. */
export interface ExecutionScope {
  id: string;
  workflowId: string;
  input: unknown;
  trigger: RunTrigger;
  /** The addresses of nodes that wait for calls; previews know their names only. */
  resumeUrls: Record<string, string | undefined>;
}

/** The run in the scope of a preview; undefined: there is none yet, only the names are known. */
export const executionScope = (run: PreviewedRun | undefined, takers: string[] = []): ExecutionScope => ({
  id: run?.id ?? '',
  workflowId: run?.workflowId ?? '',
  input: run?.input,
  trigger: { kind: run?.trigger ?? 'manual', ...(run?.triggeredBy ?? { id: null, name: null }) },
  resumeUrls: Object.fromEntries(takers.map((id) => [id, undefined])),
});

type PreviewedRun = Pick<Execution, 'id' | 'workflowId' | 'trigger'> &
  Partial<Pick<Execution, 'input' | 'triggeredBy'>>;

/** The variables of expressions, taken from an earlier run. */
export type Scope = {
  input: unknown;
  nodes: Record<string, unknown>;
  execution: ExecutionScope;
  /** Variables of the workspace; undefined: not known. */
  vars?: Readonly<Record<string, unknown>>;
};

/** An error with its range in the text. */
export interface Problem {
  problem: string;
  from: number;
  to: number;
}

/** `laterFor`: a function or `vars`, which are not available here. */
export type Outcome = { value: unknown } | { laterFor: string } | Problem;

const OWN_FUNCTIONS = new RegExp(`\\$(?:${EXPRESSION_FUNCTIONS.map(({ name }) => name).join('|')})\\b`);

const laterIn = (source: string, { vars }: Scope): string | undefined =>
  OWN_FUNCTIONS.exec(source)?.[0] ?? (vars ? undefined : /\bvars\b/.exec(source)?.[0]);

type Jsonata = typeof jsonata;
type Part = { text: string } | { source: string; at: number };

/** JSONata is loaded at first use. */
const load = async (): Promise<Jsonata> => (await import('jsonata')).default;

/**
 * Evaluates a text with expressions: a single expression keeps its type, several are joined to text. `isBare`: the
 * whole text is JSONata. For previews only; the service evaluates by itself.
 */
export async function resolve(text: string, scope: Scope, isBare: boolean): Promise<Outcome> {
  const jsonata = await load();
  const parts = takeApart(jsonata, text, isBare);
  if ('problem' in parts) return parts;
  const values: unknown[] = [];
  for (const part of parts) {
    if ('text' in part) {
      values.push(part.text);
      continue;
    }
    const later = laterIn(part.source, scope);
    if (later) return { laterFor: later };
    try {
      values.push(await jsonata(part.source).evaluate(scope));
    } catch (error) {
      return problemOf(error, part);
    }
  }
  return { value: values.length === 1 ? values[0] : values.map(asText).join('') };
}

/** The same for every text in a JSON value. Returns the first problem, if any. */
export async function resolveAll(value: unknown, scope: Scope): Promise<Outcome> {
  if (typeof value === 'string') return resolve(value, scope, false);
  if (typeof value !== 'object' || value === null) return { value };
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const outcome = await resolveAll(inner, scope);
    if (!('value' in outcome)) return outcome;
    entries.push([name, outcome.value]);
  }
  return { value: Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries) };
}

/** The syntax error of a text, without evaluating it. */
export async function problemIn(text: string, isBare: boolean): Promise<Problem | undefined> {
  const parts = takeApart(await load(), text, isBare);
  return 'problem' in parts ? parts : undefined;
}

/** The texts and expressions of a text. `parse` throws at an error of the syntax. */
export function takeApart(parse: (source: string) => unknown, text: string, isBare: boolean): Part[] | Problem {
  const read = (source: string, at: number): Problem | undefined => {
    try {
      parse(source);
      return undefined;
    } catch (error) {
      return problemOf(error, { source, at });
    }
  };
  if (isBare && !/^\s*\{\{.*\}\}\s*$/s.test(text)) return read(text, 0) ?? [{ source: text, at: 0 }];
  const parts: Part[] = [];
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('{{', at);
    if (open !== at) parts.push({ text: text.slice(at, open === -1 ? undefined : open) });
    if (open === -1) break;
    const end = endOf(text, open + 2, (source) => !read(source, 0));
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
function endOf(text: string, from: number, isReadable: (source: string) => boolean): number {
  const first = text.indexOf('}}', from);
  for (let end = first, tries = 0; end !== -1 && tries < 50; end = text.indexOf('}}', end + 1), tries += 1)
    if (isReadable(text.slice(from, end))) return end;
  return first;
}

const asText = (value: unknown) => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** JSONata reports the end position of the failing token; without a position the whole expression is marked. */
function problemOf(error: unknown, { source, at }: { source: string; at: number }): Problem {
  const { message = 'Syntax error', position, token } = error as Partial<JsonataError>;
  if (position === undefined || position <= 0) return { problem: message, from: at, to: at + source.length };
  const word = typeof token === 'string' && token !== '(end)' ? token.length : 1;
  const to = Math.min(position, source.length);
  return { problem: message, from: at + Math.max(0, to - word), to: at + to };
}

interface JsonataError {
  message: string;
  position: number;
  token: unknown;
}
