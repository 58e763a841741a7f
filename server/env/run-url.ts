import { runtime } from '@/server/runtime';

/** The page of a run in the console. */
export const runUrl = (executionId: string): string => `${runtime().env.apiBaseUrl}/executions/${executionId}`;
