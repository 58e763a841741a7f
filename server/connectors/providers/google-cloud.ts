import type { ConnectorDefinition } from '../connector';
import type { ConnectorPaging } from '../operation';
import { choiceParameter, countParameter, jsonObjectParameter, lineParameter } from '../parameters';

const cloudProjectId = lineParameter('Project');
const computeZone = lineParameter('Zone, e.g. europe-west1-b');
const cloudTokenPaging: ConnectorPaging = { kind: 'token', at: 'nextPageToken', query: 'pageToken' };

export const googleCloudConnector: ConnectorDefinition = {
  id: 'google_cloud',
  name: 'Google Cloud',
  description: 'Instances, buckets and projects.',
  synonyms: ['gcp', 'storage', 'compute'],
  flow: 'authorization_code',
  // https://developers.google.com/identity/protocols/oauth2/web-server
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  // https://cloud.google.com/compute/docs/reference/rest/v1
  apiUrl: 'https://compute.googleapis.com/compute/v1',
  apis: {
    // https://cloud.google.com/storage/docs/json_api
    storage: 'https://storage.googleapis.com/storage/v1',
    // https://cloud.google.com/resource-manager/reference/rest
    projects: 'https://cloudresourcemanager.googleapis.com/v3',
  },
  // https://developers.google.com/identity/protocols/oauth2/scopes
  scopes: {
    'cloud-platform': 'https://www.googleapis.com/auth/cloud-platform',
    compute: 'https://www.googleapis.com/auth/compute',
  },
  optionalScopes: { 'cloud-platform.read-only': 'https://www.googleapis.com/auth/cloud-platform.read-only' },
  // Same page: a refresh token comes only with `offline`, and again only after a new consent. It doesn't change.
  authorizeParams: { access_type: 'offline', prompt: 'consent' },
  clientAuthentication: 'form',
  setup:
    'In the console, "APIs & Services" > "Credentials": make an OAuth client id of type Web application and add the redirect URL.',
  probe: { path: '/projects:search?pageSize=1', api: 'projects' },
  operations: [
    {
      id: 'instances.list',
      title: 'List instances',
      method: 'GET',
      path: '/projects/{project}/zones/{zone}/instances',
      inPath: { project: cloudProjectId, zone: computeZone },
      inQuery: {
        filter: lineParameter('Filter, e.g. status=RUNNING').optional(),
        limit: countParameter('Items a page', 500).optional(),
      },
      names: { limit: 'maxResults' },
      items: 'items',
      paging: cloudTokenPaging,
    },
    {
      id: 'instances.get',
      title: 'Get an instance',
      method: 'GET',
      path: '/projects/{project}/zones/{zone}/instances/{instance}',
      inPath: { project: cloudProjectId, zone: computeZone, instance: lineParameter('Instance') },
    },
    {
      id: 'instances.create',
      title: 'Create an instance',
      method: 'POST',
      path: '/projects/{project}/zones/{zone}/instances',
      inPath: { project: cloudProjectId, zone: computeZone },
      inBody: { instance: jsonObjectParameter('Instance, e.g. name, machineType, disks, networkInterfaces') },
      wholeBody: 'instance',
    },
    {
      id: 'instances.control',
      title: 'Start, stop or reset an instance',
      method: 'POST',
      path: '/projects/{project}/zones/{zone}/instances/{instance}/{action}',
      inPath: {
        project: cloudProjectId,
        zone: computeZone,
        instance: lineParameter('Instance'),
        action: choiceParameter('Action', ['start', 'stop', 'reset']),
      },
    },
    {
      id: 'instances.delete',
      title: 'Delete an instance',
      method: 'DELETE',
      path: '/projects/{project}/zones/{zone}/instances/{instance}',
      inPath: { project: cloudProjectId, zone: computeZone, instance: lineParameter('Instance') },
    },
    {
      id: 'buckets.list',
      title: 'List buckets',
      method: 'GET',
      api: 'storage',
      path: '/b',
      inQuery: { project: cloudProjectId, prefix: lineParameter('Prefix').optional() },
      items: 'items',
      paging: cloudTokenPaging,
    },
    {
      id: 'objects.list',
      title: 'List objects of a bucket',
      method: 'GET',
      api: 'storage',
      path: '/b/{bucket}/o',
      inPath: { bucket: lineParameter('Bucket') },
      inQuery: { prefix: lineParameter('Prefix').optional(), limit: countParameter('Items a page', 1000).optional() },
      names: { limit: 'maxResults' },
      items: 'items',
      paging: cloudTokenPaging,
    },
    {
      id: 'projects.search',
      title: 'Search projects',
      method: 'GET',
      api: 'projects',
      path: '/projects:search',
      inQuery: { query: lineParameter('Query, e.g. state:ACTIVE').optional() },
      items: 'projects',
      paging: cloudTokenPaging,
    },
  ],
};
