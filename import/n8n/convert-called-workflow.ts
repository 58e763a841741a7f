import { readCalledName, readCalledWorkflow, writeCalledWorkflow } from './called-workflows';
import { isEmptyParameter, type NodeConversion } from './conversion';
import { cutWellFormed } from './file';

/** The workflow that a node calls, for its config. One that is open is asked for. */
export function convertCalledWorkflow(
  conversion: Pick<NodeConversion, 'node' | 'addChoice' | 'addTodo' | 'addRemark'>,
  workflows: NodeConversion['context']['workflows'],
): Record<string, string> {
  const { parameters } = conversion.node;
  const id = readCalledWorkflow(parameters);
  const called = workflows.get(id ?? '');
  const name = cutWellFormed(readCalledName(parameters) ?? id ?? '', 100);
  if (called?.isNamesake)
    conversion.addRemark(`It calls the workflow “${name}” of this import, which has another id in n8n.`);
  else if (called === undefined && id !== undefined)
    conversion.addChoice('config.workflowId', `Import the workflow “${name}”, too, or choose another.`);
  else if (
    called === undefined &&
    (parameters['source'] ?? 'database') === 'database' &&
    isEmptyParameter(parameters['workflowId'])
  )
    conversion.addChoice('config.workflowId', 'Choose its workflow.');
  else if (called === undefined) conversion.addTodo('Choose its workflow.');
  return writeCalledWorkflow(called);
}
