/** A part of an expression in JavaScript, as far as expressions of n8n use it. */
export type ExpressionSyntax =
  | { kind: 'literal'; value: string | number | boolean | null | undefined }
  | { kind: 'name'; name: string }
  | { kind: 'member'; object: ExpressionSyntax; key: ExpressionSyntax }
  | { kind: 'call'; callee: ExpressionSyntax; parameters: ExpressionSyntax[]; isNew: boolean }
  | { kind: 'unary'; operator: '!' | '-' | '+' | 'typeof'; operand: ExpressionSyntax }
  | { kind: 'binary'; operator: string; left: ExpressionSyntax; right: ExpressionSyntax }
  | { kind: 'choice'; test: ExpressionSyntax; yes: ExpressionSyntax; no: ExpressionSyntax }
  | { kind: 'list'; items: ExpressionSyntax[] }
  | { kind: 'object'; entries: ({ key: ExpressionSyntax; value: ExpressionSyntax } | { spread: ExpressionSyntax })[] }
  | { kind: 'text'; parts: (string | ExpressionSyntax)[] }
  | { kind: 'spread'; value: ExpressionSyntax }
  | { kind: 'pattern'; source: string; flags: string }
  /** A name for a value in `rest`. */
  | { kind: 'let'; name: string; value: ExpressionSyntax; rest: ExpressionSyntax }
  | { kind: 'arrow'; parameters: string[]; body: ExpressionSyntax };

/** A part of an expression that has no counterpart. */
export class UnsupportedSyntaxError extends Error {}
