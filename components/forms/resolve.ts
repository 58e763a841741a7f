/** What expressions see, taken from a run that was. */
export interface Scope {
  input: unknown;
  nodes: Record<string, unknown>;
  execution: { id: string; workflowId: string; input: unknown };
}

export type Outcome = { value: unknown } | { problem: string; position: number | undefined };

/**
 * What a text with expressions comes to: one expression alone keeps its type, others become part of the text. `isBare`:
 * the whole text is JSONata. Only for showing; the service evaluates for itself. The library is loaded at first use.
 */
export async function resolve(text: string, scope: Scope, isBare: boolean): Promise<Outcome> {
  const { default: jsonata } = await import('jsonata');
  const read = (source: string) => {
    try {
      return jsonata(source);
    } catch (error) {
      return problemOf(error);
    }
  };
  const run = async (source: string): Promise<Outcome> => {
    const expression = read(source);
    if ('problem' in expression) return expression;
    try {
      return { value: (await expression.evaluate(scope)) as unknown };
    } catch (error) {
      return problemOf(error);
    }
  };
  if (isBare && !/^\s*\{\{.*\}\}\s*$/s.test(text)) return run(text);
  const parts: (string | { source: string })[] = [];
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('{{', at);
    if (open === -1) {
      parts.push(text.slice(at));
      break;
    }
    if (open > at) parts.push(text.slice(at, open));
    const end = endOf(text, open + 2, (source) => !('problem' in read(source)));
    if (end === -1) return { problem: '“{{” is not closed by “}}”', position: open };
    parts.push({ source: text.slice(open + 2, end) });
    at = end + 2;
  }
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return run(only.source);
  let whole = '';
  for (const part of parts) {
    const outcome = typeof part === 'string' ? { value: part } : await run(part.source);
    if ('problem' in outcome) return outcome;
    whole += asText(outcome.value);
  }
  return { value: whole };
}

/** The first `}}` before which stands something that can be read; else the first at all. */
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

function problemOf(error: unknown): { problem: string; position: number | undefined } {
  const { message, position } = error as { message?: string; position?: number };
  return { problem: message ?? 'This can’t be read', position };
}
