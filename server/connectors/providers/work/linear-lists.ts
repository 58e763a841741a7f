import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource } from '../../choices';
import {
  defineSteppedOperation,
  type ApiRequest,
  type OperationDefinition,
  type OperationSteps,
} from '../../operation';
import { listedLineParameter } from '../../parameters';

// https://linear.app/developers/graphql
export const linearGraphqlRequest = (source: string, variables: Record<string, unknown>): ApiRequest => ({
  method: 'POST',
  path: '/graphql',
  body: { as: 'json', value: { query: source, variables } },
});

// https://linear.app/developers/rate-limiting
export const linearRateLimit = '2,500 calls an hour for a user.';

const linearTeamFilter = listedLineParameter('Team', 'teams', [], 100)
  .optional()
  .describe('Id of the team; empty: all');

/** The first 250 of a list; of a team alone, or of all. */
function* listLinearNodes(list: 'workflowStates' | 'issueLabels', fields: string, filter: object): OperationSteps {
  const type = list === 'workflowStates' ? 'WorkflowStateFilter' : 'IssueLabelFilter';
  const source = `query($filter: ${type}) { ${list}(filter: $filter, first: 250) { nodes { ${fields} } } }`;
  return getAtPath((yield linearGraphqlRequest(source, { filter })).body, `data.${list}.nodes`);
}

/** Operations of Linear that list what parameters are picked from. */
export const linearListOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'states.list',
    title: 'List statuses',
    help: 'Of a team, or of all teams.',
    limits: linearRateLimit,
    parameters: { team: linearTeamFilter },
    *steps({ team }) {
      const filter = team === undefined ? {} : { team: { id: { eq: team } } };
      return yield* listLinearNodes('workflowStates', 'id name type team { name }', filter);
    },
    example: [{ id: 's1', name: 'Todo', type: 'unstarted', team: { name: 'Engineering' } }],
  }),
  defineSteppedOperation({
    id: 'labels.list',
    title: 'List labels',
    help: 'Of a team and of the workspace, or all.',
    limits: linearRateLimit,
    parameters: { team: linearTeamFilter },
    *steps({ team }) {
      const filter = team === undefined ? {} : { or: [{ team: { id: { eq: team } } }, { team: { null: true } }] };
      return yield* listLinearNodes('issueLabels', 'id name team { name }', filter);
    },
    example: [{ id: 'l1', name: 'Bug', team: { name: 'Engineering' } }],
  }),
  defineSteppedOperation({
    id: 'projects.list',
    title: 'List projects',
    help: 'At most 250.',
    limits: linearRateLimit,
    parameters: {},
    *steps() {
      const source = '{ projects(first: 250) { nodes { id name url } } }';
      return getAtPath((yield linearGraphqlRequest(source, {})).body, 'data.projects.nodes');
    },
    example: [{ id: 'p1', name: 'Website', url: 'https://linear.app/acme/project/website-p1' }],
  }),
];

/** What the parameters of Linear are picked from. */
export const linearChoices: Record<string, ConnectorChoiceSource> = {
  teams: { operation: 'teams.list', value: 'id', label: ['name'], hint: 'key' },
  teamKeys: { operation: 'teams.list', value: 'key', label: ['name'], hint: 'key' },
  states: {
    operation: 'states.list',
    parametersFrom: { team: 'team?' },
    value: 'id',
    label: ['name'],
    hint: 'team.name',
  },
  labels: {
    operation: 'labels.list',
    parametersFrom: { team: 'team?' },
    value: 'id',
    label: ['name'],
    hint: 'team.name',
  },
  users: { operation: 'users.list', value: 'id', label: ['name'], hint: 'email', where: { at: 'active', is: [true] } },
  projects: { operation: 'projects.list', value: 'id', label: ['name'] },
  issues: {
    operation: 'issues.list',
    parameters: { limit: 250 },
    value: 'identifier',
    label: ['{identifier} {title}'],
  },
};
