/** An error of an expression: of its syntax, or thrown by it. `position` counts UTF-16 units from its beginning. */
export class EvaluationProblemError extends Error {
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
  }
}
