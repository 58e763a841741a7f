import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorDefinition } from '../connector';
import type { ConnectorPaging } from '../operation';
import {
  booleanParameter,
  contentLineParameter,
  countParameter,
  listedLineListParameter,
  listedLineParameter,
  valueLineParameter,
} from '../parameters';

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
  // Calls in the last 30 seconds count; the page gives no number.
  limits: { source: 'https://developer.spotify.com/documentation/web-api/concepts/rate-limits' },
  choices: {
    playlists: {
      operation: 'playlists.list',
      parameters: { limit: 50 },
      value: 'id',
      label: ['name'],
      hint: 'owner.display_name',
    },
    own_user: {
      *steps() {
        return { items: [(yield { path: '/me' }).body] };
      },
      value: 'id',
      label: ['display_name', 'id'],
    },
    tracks: {
      searches: true,
      // Spotify has no list of all tracks: without a search there is nothing to show.
      *steps({ search }) {
        if (search === '') return { items: [] };
        const { body } = yield { path: '/search', query: { q: search, type: 'track', limit: 50 } };
        const items = getAtPath(body, 'tracks.items');
        return { items: Array.isArray(items) ? (items as unknown[]) : [] };
      },
      value: 'uri',
      label: ['name'],
      hint: 'artists.0.name',
    },
  },
  operations: [
    {
      id: 'me.get',
      title: 'Get the own profile',
      method: 'GET',
      path: '/me',
      example: { id: 'ada', display_name: 'Ada Lovelace', type: 'user' },
    },
    {
      id: 'playlists.list',
      title: 'List the own playlists',
      method: 'GET',
      path: '/me/playlists',
      inQuery: { limit: spotifyPageSize },
      items: 'items',
      example: {
        items: [{ id: '37i9dQZF1DX', name: 'Mornings', owner: { id: 'ada', display_name: 'Ada Lovelace' } }],
        next: null,
      },
      paging: spotifyAddressPaging,
    },
    {
      id: 'playlists.get',
      title: 'Get a playlist',
      method: 'GET',
      path: '/playlists/{playlistId}',
      inPath: { playlistId: listedLineParameter('Playlist id', 'playlists') },
    },
    {
      id: 'playlists.create',
      title: 'Create a playlist',
      method: 'POST',
      path: '/users/{userId}/playlists',
      inPath: { userId: listedLineParameter('User', 'own_user') },
      inBody: {
        name: contentLineParameter('Name'),
        description: contentLineParameter('Description').optional(),
        isPublic: booleanParameter('Public').optional(),
      },
      names: { isPublic: 'public' },
    },
    {
      id: 'playlists.update',
      title: 'Change a playlist',
      method: 'PUT',
      path: '/playlists/{playlistId}',
      inPath: { playlistId: listedLineParameter('Playlist id', 'playlists') },
      inBody: {
        name: contentLineParameter('Name').optional(),
        description: contentLineParameter('Description').optional(),
        isPublic: booleanParameter('Public').optional(),
      },
      names: { isPublic: 'public' },
    },
    {
      id: 'playlist_tracks.list',
      title: 'List the tracks of a playlist',
      method: 'GET',
      path: '/playlists/{playlistId}/tracks',
      inPath: { playlistId: listedLineParameter('Playlist id', 'playlists') },
      inQuery: { limit: spotifyPageSize },
      items: 'items',
      paging: spotifyAddressPaging,
    },
    {
      id: 'playlist_tracks.add',
      title: 'Add tracks to a playlist',
      method: 'POST',
      path: '/playlists/{playlistId}/tracks',
      inPath: { playlistId: listedLineParameter('Playlist id', 'playlists') },
      inBody: { uris: listedLineListParameter('Track URIs, e.g. spotify:track:…', 'tracks') },
    },
    {
      id: 'tracks.search',
      title: 'Search tracks',
      method: 'GET',
      path: '/search',
      inQuery: { text: valueLineParameter('Text', 'search'), limit: spotifyPageSize },
      names: { text: 'q' },
      query: { type: 'track' },
      items: 'tracks.items',
      paging: { kind: 'address', at: 'tracks.next' },
    },
  ],
};
