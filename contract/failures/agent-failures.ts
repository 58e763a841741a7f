import type { FailureRecord } from './failure-record';

/** What fails in agents and calls of language models. */
export const AGENT_FAILURES = {
  MAX_STEPS: {
    title: 'The agent has no answer after its steps',
    advice: 'Allow more steps, or make its instructions and tools clearer.',
    parameters: { maxSteps: 'number' },
    sentence: 'The agent has no answer after {maxSteps} steps.',
  },
  TOO_MANY_CALLS: { title: 'The model asked for too many calls at once', advice: 'Make its instructions clearer.' },
  BUDGET: {
    title: 'The budget of the agent is used up',
    advice: 'Raise the budget, give it fewer or shorter results, or choose a cheaper model.',
  },
  OUTPUT_SCHEMA: {
    title: 'The answer of the model does not match the schema',
    advice: 'Make the schema simpler, describe its fields, or choose a stronger model.',
  },
  MCP: {
    title: 'The MCP server answered with an error',
    advice: 'Check the URL of the credential, and test it: it has to be an endpoint for streamable HTTP.',
  },
  MCP_TOOL: {
    title: 'The tool of the MCP server failed',
    advice: 'Read its message, and check the name of the tool and its arguments.',
  },
  MODEL_ANSWER: {
    title: 'The answer of the model can’t be read',
    advice: 'Check the provider and the base URL of the credential, and the id of the model.',
  },
  CONVERSATION_TOO_LARGE: {
    title: 'The steps of the agent are too large together',
    advice: 'Let its tools return less, or allow fewer steps.',
  },
  TOOL_HOST: {
    title: 'The tool would have called another address',
    advice: 'The model may fill in the rest of an address only. Check the URL of the tool.',
    parameters: { address: 'text' },
    sentence: 'The address must be below {address}',
  },
} as const satisfies Record<string, FailureRecord>;
