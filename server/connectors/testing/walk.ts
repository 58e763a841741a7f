import type { OperationDefinition, ApiResponse, ApiRequest } from '../operation';

/** Follows an operation with steps, and answers its requests in turn with bodies, or with whole answers. */
export function walk(
  operations: readonly OperationDefinition[],
  id: string,
  values: Record<string, unknown>,
  answers: readonly (Partial<ApiResponse> | undefined)[] = [],
): { requests: ApiRequest[]; result: unknown } {
  const operation = operations.find((one) => one.id === id);
  if (!operation?.steps) throw new Error(`${id} has no steps`);
  const requests: ApiRequest[] = [];
  const steps = operation.steps(values);
  let step = steps.next({ status: 200, headers: {}, body: null });
  while (!step.done) {
    const answer = answers[requests.length];
    requests.push(step.value);
    step = steps.next({ status: 200, headers: {}, body: {}, ...answer });
  }
  return { requests, result: step.value };
}
