import type { NodeConverter } from '../../conversion';
import type { N8nObject } from '../../file';
import { serviceConverter, type ParameterReader } from './service';

const agentOf = (read: ParameterReader): N8nObject => {
  if (read.isEmpty('agentId')) read.addChoice('agent', 'Choose its Phantom.');
  return { agent: read.idText('agentId') };
};

/** An argument: a text of JSON, or names and values. */
function readArgument(read: ParameterReader, json: string, pairs: string): unknown {
  if (!read.isSet('jsonParameters')) return read.pairs(`additionalFields.${pairs}`, 'key', 'value');
  return read.jsonText(`additionalFields.${json}`);
}

/** A flag that is on unless the node says otherwise. */
function readsFurther(read: ParameterReader): true | undefined {
  const given = read.get('resolveData') ?? true;
  if (typeof given !== 'boolean') read.addTodo('Choose whether it gets the data: n8n computes that.');
  return given === false ? undefined : true;
}

const convertCalls = serviceConverter({
  connector: 'phantombuster',
  name: 'PhantomBuster',
  resource: 'agent',
  operation: 'launch',
  calls: {
    'agent.getAll': () => ({ operation: 'agents.list', parameters: {} }),
    'agent.get': (read) => ({ operation: 'agents.get', parameters: agentOf(read) }),
    'agent.delete': (read) => ({ operation: 'agents.delete', parameters: agentOf(read) }),
    'agent.launch': (read) => ({
      operation: 'agents.launch',
      parameters: {
        ...agentOf(read),
        argument: readArgument(read, 'argumentsJson', 'argumentsUi.argumentValues'),
        bonusArgument: readArgument(read, 'bonusArgumentJson', 'bonusArgumentUi.bonusArgumentValue'),
        manualLaunch: read.value('additionalFields.manualLaunch'),
        maxInstanceCount: read.value('additionalFields.maxInstanceCount') || undefined,
        saveArgument: read.filledText('additionalFields.saveArgument'),
        getsState: readsFurther(read),
      },
    }),
    'agent.getOutput': (read) => ({
      operation: 'agents.get_output',
      parameters: {
        ...agentOf(read),
        previousContainer: read.filledText('additionalFields.prevContainerId'),
        previousStatus: read.filledText('additionalFields.prevStatus'),
        previousEvent: read.value('additionalFields.prevRuntimeEventIndex') || undefined,
        getsResult: readsFurther(read),
      },
    }),
  },
});

/** How n8n's node changes what the API gives. */
export const convertPhantombuster: NodeConverter = (conversion) => {
  const call = convertCalls(conversion);
  const { operation, returnAll, limit = 25 } = conversion.node.parameters;
  if (operation === 'delete') return { ...call, shape: '() => ({ success: true })' };
  if (operation !== 'getAll' || returnAll === true) return call;
  if (typeof limit !== 'number') conversion.addTodo('Enter how many it gives: n8n computes that.');
  return { ...call, shape: `(list) => list.slice(0, ${Number(limit) || 25})` };
};
