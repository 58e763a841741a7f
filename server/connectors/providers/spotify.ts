import type { ConnectorDefinition } from '../connector';
import type { ConnectorPaging } from '../operation';
import { countParameter, booleanParameter, lineParameter, lineListParameter } from '../parameters';

// https://developer.spotify.com/documentation/web-api/reference/get-list-users-playlists: `next` is an address.
const spotifyAddressPaging: ConnectorPaging = { kind: 'address', at: 'next' };
const spotifyPageSize = countParameter('Items a page', 50).optional();

export const spotifyConnector: ConnectorDefinition = {
  id: 'spotify',
  name: 'Spotify',
  description: 'Playlists, tracks and what a listener has saved.',
  synonyms: ['music', 'songs'],
  flow: 'authorization_code',
  // https://developer.spotify.com/documentation/web-api/tutorials/code-flow
  authorizeUrl: 'https://accounts.spotify.com/authorize',
  // https://developer.spotify.com/documentation/web-api/tutorials/refreshing-tokens: an answer without a refresh token
  // means that the old one stays good.
  tokenUrl: 'https://accounts.spotify.com/api/token',
  apiUrl: 'https://api.spotify.com/v1',
  // https://developer.spotify.com/documentation/web-api/concepts/scopes: changing playlists is two scopes there.
  scopes: {
    'user-read-email': 'user-read-email',
    'user-read-private': 'user-read-private',
    'playlist-modify': 'playlist-modify-public playlist-modify-private',
  },
  optionalScopes: { 'playlist-read-private': 'playlist-read-private', 'user-library-read': 'user-library-read' },
  clientAuthentication: 'basic',
  setup: 'In the developer dashboard open your app, "Settings": add the redirect URL, copy client id and secret.',
  probe: { path: '/me' },
  operations: [
    { id: 'me.get', title: 'Get the own profile', method: 'GET', path: '/me' },
    {
      id: 'playlists.list',
      title: 'List the own playlists',
      method: 'GET',
      path: '/me/playlists',
      inQuery: { limit: spotifyPageSize },
      items: 'items',
      paging: spotifyAddressPaging,
    },
    {
      id: 'playlists.get',
      title: 'Get a playlist',
      method: 'GET',
      path: '/playlists/{playlistId}',
      inPath: { playlistId: lineParameter('Playlist id') },
    },
    {
      id: 'playlists.create',
      title: 'Create a playlist',
      method: 'POST',
      path: '/users/{userId}/playlists',
      inPath: { userId: lineParameter('User id') },
      inBody: {
        name: lineParameter('Name'),
        description: lineParameter('Description').optional(),
        isPublic: booleanParameter('Public').optional(),
      },
      names: { isPublic: 'public' },
    },
    {
      id: 'playlists.update',
      title: 'Change a playlist',
      method: 'PUT',
      path: '/playlists/{playlistId}',
      inPath: { playlistId: lineParameter('Playlist id') },
      inBody: {
        name: lineParameter('Name').optional(),
        description: lineParameter('Description').optional(),
        isPublic: booleanParameter('Public').optional(),
      },
      names: { isPublic: 'public' },
    },
    {
      id: 'playlist_tracks.list',
      title: 'List the tracks of a playlist',
      method: 'GET',
      path: '/playlists/{playlistId}/tracks',
      inPath: { playlistId: lineParameter('Playlist id') },
      inQuery: { limit: spotifyPageSize },
      items: 'items',
      paging: spotifyAddressPaging,
    },
    {
      id: 'playlist_tracks.add',
      title: 'Add tracks to a playlist',
      method: 'POST',
      path: '/playlists/{playlistId}/tracks',
      inPath: { playlistId: lineParameter('Playlist id') },
      inBody: { uris: lineListParameter('Track URIs, e.g. spotify:track:…') },
    },
    {
      id: 'tracks.search',
      title: 'Search tracks',
      method: 'GET',
      path: '/search',
      inQuery: { text: lineParameter('Text'), limit: spotifyPageSize },
      names: { text: 'q' },
      query: { type: 'track' },
      items: 'tracks.items',
      paging: { kind: 'address', at: 'tracks.next' },
    },
  ],
};
