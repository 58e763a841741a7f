import { getRuntime } from '@/server/platform/runtime';

/** The page of a run in the console. */
export const runPageUrl = (executionId: string): string => `${getRuntime().env.apiBaseUrl}/executions/${executionId}`;
