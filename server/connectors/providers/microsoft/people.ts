import type { OperationDefinition } from '../../operation';
import { listedLineParameter } from '../../parameters';
import { graphFilterParameter, graphODataNames, graphPageSizeParameter, microsoftGraphPaging } from './graph-parts';

const personExample = {
  id: '87d349ed-44d7-43e1-9a83-5f2406dee5bd',
  displayName: 'Ada Lovelace',
  mail: 'ada@example.com',
  userPrincipalName: 'ada@example.com',
  jobTitle: 'Analyst',
};

/** Operations with people of the organization. */
export const microsoftPeopleOperations: OperationDefinition[] = [
  {
    id: 'me.get',
    title: 'Get the own profile',
    help: 'Name, address and id of the connected account.',
    method: 'GET',
    path: '/me',
    example: personExample,
  },
  {
    id: 'users.list',
    title: 'List people',
    help: 'People of the organization, with their ids.',
    method: 'GET',
    path: '/users',
    inQuery: { filter: graphFilterParameter, top: graphPageSizeParameter },
    names: graphODataNames,
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [personExample] },
  },
  {
    id: 'users.get',
    title: 'Get a person',
    help: 'By id or by the name for signing in, which mostly is the email address.',
    method: 'GET',
    path: '/users/{userId}',
    inPath: {
      userId: listedLineParameter('Person', 'people').describe('Id, or name for signing in, e.g. ada@example.com'),
    },
    example: personExample,
  },
];
