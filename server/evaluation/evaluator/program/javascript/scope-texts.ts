import type { JavaScriptReferences } from '@/server/evaluation/expressions/javascript/references';

/**
 * A scope with less JSON is given to each expression as it is: finding the parts would take as long as parsing them
 * all.
 */
const MAX_WHOLE_SCOPE = 4096;
/** The name whose parts are given one by one. */
const NODES_NAME = 'nodes';

type ScopeValues = Record<string, unknown>;

/**
 * The data of expressions as JSON: each gets the parts that it may read, parsed anew, so that it cannot change those of
 * another.
 */
export class ScopeTexts {
  private readonly texts = new Map<string, string>();
  private values: ScopeValues | undefined;

  constructor(private readonly json: string) {}

  /** The part of the scope that an expression may read, and the names in it. */
  pick(references: JavaScriptReferences): { scope: string; names: string[] } {
    const values = (this.values ??= JSON.parse(this.json) as ScopeValues);
    const names = Object.keys(values);
    if (this.json.length <= MAX_WHOLE_SCOPE) return { scope: this.json, names };
    const parts = names
      .filter((name) => references.names.has(name))
      .map((name) => `${JSON.stringify(name)}:${this.part(name, values[name], references)}`);
    return { scope: `{${parts.join()}}`, names };
  }

  /**
   * The whole scope for a prelude, whose names read any part of it. The outputs of nodes are texts, which it parses when
   * they are read.
   */
  forPrelude(): string {
    const values = (this.values ??= JSON.parse(this.json) as ScopeValues);
    const parts = Object.entries(values).map(([name, value]) => {
      if (name !== NODES_NAME) return `${JSON.stringify(name)}:${this.text(name, value)}`;
      const outputs = Object.entries((value ?? {}) as ScopeValues).filter(([, output]) => output !== null);
      const texts = outputs.map(
        ([id, output]) => `${JSON.stringify(id)}:${this.quoted(`${NODES_NAME}.${id}`, output)}`,
      );
      return `"${NODES_NAME}":{${texts.join()}}`;
    });
    return `{${parts.join()}}`;
  }

  private quoted(key: string, value: unknown): string {
    const quotedKey = `"${key}"`;
    let text = this.texts.get(quotedKey);
    if (text === undefined) this.texts.set(quotedKey, (text = JSON.stringify(this.text(key, value))));
    return text;
  }

  private part(name: string, value: unknown, { nodes }: JavaScriptReferences): string {
    if (name !== NODES_NAME || nodes === 'any') return this.text(name, value);
    const outputs = Object.entries((value ?? {}) as ScopeValues).filter(([id]) => nodes.has(id));
    return `{${outputs.map(([id, output]) => `${JSON.stringify(id)}:${this.text(`${NODES_NAME}.${id}`, output)}`).join()}}`;
  }

  private text(key: string, value: unknown): string {
    let text = this.texts.get(key);
    if (text === undefined) this.texts.set(key, (text = JSON.stringify(value) ?? 'null'));
    return text;
  }
}
