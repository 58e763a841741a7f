/** A syntax error. `position` counts UTF-16 units from the beginning of the expression. */
export interface ExpressionProblem {
  message: string;
  position: number;
}

export const isExpressionProblem = (value: object): value is ExpressionProblem => 'position' in value;
