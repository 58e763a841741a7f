import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorDefinition } from '../connector';
import type { ConnectorPaging } from '../operation';
import {
  choiceParameter,
  countParameter,
  jsonObjectParameter,
  listedLineParameter,
  valueLineParameter,
} from '../parameters';

const cloudProjectId = listedLineParameter('Project', 'projects');
const computeZone = listedLineParameter('Zone, e.g. europe-west1-b', 'zones', ['project']);
const computeInstance = listedLineParameter('Instance', 'instances', ['project', 'zone']);
const cloudTokenPaging: ConnectorPaging = { kind: 'token', at: 'nextPageToken', query: 'pageToken' };

/** The buckets of this many projects are one page of choices, because each takes a call. */
const PROJECTS_PER_PAGE = 10;
const listValues = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

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
  // Of Compute Engine, for a project.
  limits: { perMinute: 1500, source: 'https://cloud.google.com/compute/api-quota' },
  choices: {
    projects: { operation: 'projects.search', value: 'projectId', label: ['displayName'], hint: 'projectId' },
    zones: {
      operation: 'zones.list',
      parameters: { limit: 100 },
      parametersFrom: { project: 'project' },
      value: 'name',
      label: ['name'],
      hint: 'status',
    },
    instances: {
      operation: 'instances.list',
      parameters: { limit: 100 },
      parametersFrom: { project: 'project', zone: 'zone' },
      value: 'name',
      label: ['name'],
      hint: 'status',
    },
    buckets: {
      // An object is read without naming the project: the buckets of all projects are listed, project by project.
      *steps({ page }) {
        const query = { pageToken: page ?? undefined, pageSize: PROJECTS_PER_PAGE };
        const { body } = yield { path: '/projects:search', api: 'projects', query };
        const items: unknown[] = [];
        for (const one of listValues(getAtPath(body, 'projects'))) {
          const project = getAtPath(one, 'projectId');
          const answer = yield { path: '/b', api: 'storage', query: { project }, acceptedStatus: 403 };
          items.push(
            ...listValues(getAtPath(answer.body, 'items')).map((bucket) => ({
              name: getAtPath(bucket, 'name'),
              project,
            })),
          );
        }
        const next = getAtPath(body, 'nextPageToken');
        return { items, next: typeof next === 'string' && next !== '' ? next : null };
      },
      value: 'name',
      label: ['name'],
      hint: 'project',
    },
  },
  operations: [
    {
      id: 'instances.list',
      title: 'List instances',
      method: 'GET',
      path: '/projects/{project}/zones/{zone}/instances',
      inPath: { project: cloudProjectId, zone: computeZone },
      example: { items: [{ name: 'web-1', status: 'RUNNING' }] },
      inQuery: {
        filter: valueLineParameter('Filter, e.g. status=RUNNING', 'query').optional(),
        limit: countParameter('Items a page', 500).optional(),
      },
      names: { limit: 'maxResults' },
      items: 'items',
      paging: cloudTokenPaging,
    },
    {
      id: 'zones.list',
      title: 'List zones',
      help: 'Where instances can be.',
      method: 'GET',
      path: '/projects/{project}/zones',
      inPath: { project: cloudProjectId },
      inQuery: { limit: countParameter('Items a page', 500).optional() },
      names: { limit: 'maxResults' },
      items: 'items',
      paging: cloudTokenPaging,
      example: { items: [{ name: 'europe-west1-b', description: 'europe-west1-b', status: 'UP' }] },
    },
    {
      id: 'instances.get',
      title: 'Get an instance',
      method: 'GET',
      path: '/projects/{project}/zones/{zone}/instances/{instance}',
      inPath: { project: cloudProjectId, zone: computeZone, instance: computeInstance },
    },
    {
      id: 'instances.create',
      title: 'Create an instance',
      method: 'POST',
      path: '/projects/{project}/zones/{zone}/instances',
      inPath: { project: cloudProjectId, zone: computeZone },
      inBody: {
        instance: jsonObjectParameter('Instance').describe('With name, machineType, disks and networkInterfaces'),
      },
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
        instance: computeInstance,
        action: choiceParameter('Action', ['start', 'stop', 'reset']),
      },
    },
    {
      id: 'instances.delete',
      title: 'Delete an instance',
      method: 'DELETE',
      path: '/projects/{project}/zones/{zone}/instances/{instance}',
      inPath: { project: cloudProjectId, zone: computeZone, instance: computeInstance },
    },
    {
      id: 'buckets.list',
      title: 'List buckets',
      method: 'GET',
      api: 'storage',
      path: '/b',
      inQuery: { project: cloudProjectId, prefix: valueLineParameter('Prefix', 'place').optional() },
      items: 'items',
      paging: cloudTokenPaging,
    },
    {
      id: 'objects.list',
      title: 'List objects of a bucket',
      method: 'GET',
      api: 'storage',
      path: '/b/{bucket}/o',
      inPath: { bucket: listedLineParameter('Bucket', 'buckets') },
      inQuery: {
        prefix: valueLineParameter('Prefix', 'place').optional(),
        limit: countParameter('Items a page', 1000).optional(),
      },
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
      inQuery: { query: valueLineParameter('Query, e.g. state:ACTIVE', 'query').optional() },
      items: 'projects',
      example: { projects: [{ projectId: 'acme-web', displayName: 'Acme web', state: 'ACTIVE' }] },
      paging: cloudTokenPaging,
    },
  ],
};
