/** A part of an expression in JavaScript, as far as expressions of n8n use it. */
export type Syntax =
  | { kind: 'literal'; value: string | number | boolean | null | undefined }
  | { kind: 'name'; name: string }
  | { kind: 'member'; object: Syntax; key: Syntax }
  | { kind: 'call'; callee: Syntax; parameters: Syntax[]; isNew: boolean }
  | { kind: 'unary'; operator: '!' | '-' | '+' | 'typeof'; operand: Syntax }
  | { kind: 'binary'; operator: string; left: Syntax; right: Syntax }
  | { kind: 'choice'; test: Syntax; yes: Syntax; no: Syntax }
  | { kind: 'list'; items: Syntax[] }
  | { kind: 'object'; entries: ({ key: Syntax; value: Syntax } | { spread: Syntax })[] }
  | { kind: 'text'; parts: (string | Syntax)[] }
  | { kind: 'spread'; value: Syntax }
  | { kind: 'pattern'; source: string; flags: string }
  /** A name for a value in `rest`. */
  | { kind: 'let'; name: string; value: Syntax; rest: Syntax }
  | { kind: 'arrow'; parameters: string[]; body: Syntax };

/** A part of an expression that has no counterpart. */
export class Unsupported extends Error {}
