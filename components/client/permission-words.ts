/** Resources that the interface calls otherwise than the API. */
const RESOURCE_WORDS: Record<string, string> = {
  execution: 'run',
  api_key: 'API key',
  sso_provider: 'single sign-on',
  audit: 'audit log',
};

/** "api_key" → "API key". */
export const readableResourceName = (name: string): string => RESOURCE_WORDS[name] ?? name.replaceAll('_', ' ');

/** Actions that the interface calls otherwise than the API. */
const ACTION_WORDS: Record<string, string> = {
  execute: 'run',
  resume: 'decide or resume',
};

/** "execute" → "run". */
export const readableActionName = (action: string): string => ACTION_WORDS[action] ?? action;
