import type { ApiConnection } from '@/server/evaluation/openapi/record';
import type { ConnectorDefinition } from '../connector';

/** The row of a connector, without its operations. */
export interface CustomConnectorRow {
  id: string;
  workspaceId: string;
  name: string;
  description: string;
  version: number;
  frame: unknown;
}

/** Whether an id is that of a connector of a workspace: whether it exists is another question. */
export const isCustomConnectorId = (id: unknown): id is string => typeof id === 'string' && id.startsWith('conn_');

/** Encodes the braces of an address, which would read as a slot. */
const escapeSlotBraces = (address: string) => address.replaceAll('{', '%7B').replaceAll('}', '%7D');

const escapeAllSlotBraces = (addresses: Record<string, string>) =>
  Object.fromEntries(Object.entries(addresses).map(([name, address]) => [name, escapeSlotBraces(address)]));

const registrationInstructions = (name: string, hasPage: boolean): string =>
  hasPage
    ? `Register an app at ${name} with the redirect URL below. Enter its client id and client secret here.`
    : `Create a client at ${name}. Enter its client id and client secret here.`;

/** Google sends a refresh token only if it is asked for one, which documents do not say. */
const isGoogleAuthorization = (authorizeUrl: string | undefined): boolean =>
  authorizeUrl !== undefined && new URL(authorizeUrl).host === 'accounts.google.com';

/** A connector from its row. Its operations are loaded one by one. */
export function toCustomConnector({
  id,
  workspaceId,
  name,
  description,
  version,
  frame,
}: CustomConnectorRow): ConnectorDefinition {
  const { server, servers, authentication, probe } = frame as ApiConnection;
  const { token, oauth, isRequired } = authentication;
  return {
    id,
    name,
    description,
    flow: oauth?.flow ?? 'token',
    ...(token
      ? {
          token: {
            title: token.title,
            setup: 'The provider of this API issues it.',
            fields: token.fields,
            headers: token.headers,
            query: token.query,
            ...(token.basic ? { basic: token.basic } : {}),
          },
        }
      : {}),
    ...(oauth?.authorizeUrl ? { authorizeUrl: escapeSlotBraces(oauth.authorizeUrl) } : {}),
    ...(oauth ? { tokenUrl: escapeSlotBraces(oauth.tokenUrl) } : {}),
    ...(isGoogleAuthorization(oauth?.authorizeUrl)
      ? { authorizeParams: { access_type: 'offline', prompt: 'consent' } }
      : {}),
    apiUrl: escapeSlotBraces(server),
    ...(Object.keys(servers).length > 0 ? { apis: escapeAllSlotBraces(servers) } : {}),
    scopes: Object.fromEntries((oauth?.scopes ?? []).map((scope) => [scope, scope])),
    optionalScopes: Object.fromEntries((oauth?.optionalScopes ?? []).map((scope) => [scope, scope])),
    // Answers in other formats are taken as well.
    headers: { Accept: 'application/json, */*;q=0.8' },
    ...(probe === null ? {} : { probe: { path: probe } }),
    operations: [],
    setup: oauth ? registrationInstructions(name, oauth.flow === 'authorization_code') : '',
    custom: { workspaceId, version, needsCredential: isRequired },
  };
}
