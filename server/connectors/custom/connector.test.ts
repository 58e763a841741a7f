import { expect, it } from 'vitest';
import { toCustomConnector } from './connector';

const connectorAt = (authorizeUrl: string) =>
  toCustomConnector({
    id: 'conn_1',
    workspaceId: 'ws_1',
    name: 'Videos',
    description: '',
    version: 1,
    frame: {
      server: 'https://videos.example.com',
      servers: {},
      authentication: {
        isRequired: true,
        token: null,
        oauth: {
          flow: 'authorization_code',
          authorizeUrl,
          tokenUrl: 'https://id.example.com/token',
          scopes: [],
          optionalScopes: [],
        },
      },
      probe: null,
    },
  });

it('asks Google for a refresh token, which its documents do not say', () => {
  const params = { access_type: 'offline', prompt: 'consent' };
  expect(connectorAt('https://accounts.google.com/o/oauth2/auth').authorizeParams).toEqual(params);
  expect(connectorAt('https://accounts.google.com.example.com/auth').authorizeParams).toBeUndefined();
});
