import { importN8n } from '../../../convert';

/** What a node of a service becomes behind a start: the call, the expression that reads it, and its entry in the report. */
export function importServiceNode(type: string, parameters: object, typeVersion = 1) {
  const node = (name: string, of: string, given: object) => ({
    name,
    type: of,
    parameters: given,
    typeVersion,
    position: [0, 0],
  });
  const { definition, report } = importN8n({
    name: 'Theirs',
    nodes: [node('Go', 'n8n-nodes-base.manualTrigger', {}), node('It', type, parameters)],
    connections: { Go: { main: [[{ node: 'It', type: 'main', index: 0 }]] } },
  });
  const find = (wanted: string) => definition.nodes.find(({ id }) => id === wanted);
  const callNode = find('it_call');
  return {
    definition,
    callNode,
    call: callNode?.config,
    expression: String(find('it')?.config['expression']),
    message: report.find(({ node: name }) => name === 'It')?.message,
  };
}
