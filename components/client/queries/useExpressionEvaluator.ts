import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EvaluatedExpression, EvaluateExpressionsRequest } from '@/contract/workflows/expression-evaluation';
import { useTRPC } from '@/components/client/trpc';

/** Lets the service evaluate expressions. The results are in the order of the texts. */
export type ExpressionEvaluator = (
  request: Omit<EvaluateExpressionsRequest, 'timeZone'> & { timeZone?: string | undefined },
) => Promise<EvaluatedExpression[]>;

export function useExpressionEvaluator(): ExpressionEvaluator {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMemo(
    () => async (body) => {
      // No component shows the state of the call, so none is rendered for it.
      const options = trpc.expressions.evaluate.mutationOptions();
      const { results } = await queryClient.getMutationCache().build(queryClient, options).execute({ body });
      return results;
    },
    [trpc, queryClient],
  );
}
