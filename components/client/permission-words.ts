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

/** "workflow:create" → "Your role does not include “create workflow”." */
export function describeMissingPermission(permission: string): string {
  const [resource = '', action = ''] = permission.split(':');
  return `Your role does not include “${readableActionName(action)} ${readableResourceName(resource)}”.`;
}

/** A sentence of the service that names a permission, with the words of the interface for it, without the id of an object. */
export const withPermissionWords = (sentence: string): string =>
  sentence.replace(
    /\bthe permission ([a-z_]+):([a-z_]+)\b(?: on [a-z]+_[\w-]+)?/g,
    (_, resource: string, action: string) =>
      `the permission “${readableActionName(action)} ${readableResourceName(resource)}”`,
  );
