import type { FormField } from '@/contract/triggers/form-fields';
import { asN8nObject, asN8nObjects } from '../file';
import { mailAddresses } from '../nodes/mail-addresses';
import { convertFormFields } from '../starts/pages';
import { shortNodeType } from '../starts/convert-trigger';
import { openInnerConversion } from './inner-conversion';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { connectNodes } from './connect-nodes';
import { readWaitLimit } from './wait-limit';

/** The parameters with the addresses of those who are asked, by the short name of the type. */
const ADDRESS_PARAMETERS: Readonly<Record<string, string>> = {
  emailSend: 'toEmail',
  gmail: 'sendTo',
  microsoftOutlook: 'toRecipients',
};

/** Whether a node sends a question and waits for the answer of a person. */
export const asksPerson = ({ node: { parameters } }: ItemConversion): boolean =>
  parameters['operation'] === 'sendAndWait';

/** What is asked for besides the decision, and the item that n8n gives of it. */
function readQuestion(conversion: ItemConversion): { fields: FormField[]; expression: string } {
  const { responseType = 'approval', defineForm, formFields } = conversion.node.parameters;
  if (responseType === 'freeText')
    return {
      fields: [{ name: 'text', label: 'Response', kind: 'textarea', required: true }],
      expression: '[{ data: { text: input.data?.text ?? "" } }]',
    };
  if (responseType !== 'customForm')
    return { fields: [], expression: '[{ data: { approved: input.decision === "approved" } }]' };
  if (defineForm === 'json') conversion.addTodo('Enter the fields that it asks for.');
  const { fields, names } = convertFormFields(asN8nObjects(asN8nObject(formFields)['values']));
  const asked = fields.filter(({ kind }) => kind !== 'file');
  if (asked.length < fields.length) conversion.addTodo('Ask for its files in a form: an approval takes none.');
  const pairs = [...names].map(([theirs, ours]) => `${JSON.stringify(theirs)}: input.data?.${ours}`);
  return { fields: asked, expression: `[{ data: { ${pairs.join(', ')} } }]` };
}

/** How long the answer is awaited; undefined: without a limit. */
function readExpiry(conversion: ItemConversion): number | undefined {
  const { limitWaitTime } = asN8nObject(conversion.node.parameters['options']);
  const limit = asN8nObject(asN8nObject(limitWaitTime)['values']);
  if (Object.keys(limit).length === 0) return undefined;
  conversion.addTodo('Check what follows when its time has passed: n8n passes its items on.');
  return readWaitLimit(conversion, limit, [45, 'minutes']);
}

/** A question that is asked once, and the answer as the only item. */
export function convertApproval(conversion: ItemConversion): ItemNodes {
  const { id, node } = conversion;
  const { parameters } = node;
  const short = shortNodeType(node.type);
  conversion.remarkFailureBefore();
  const inner = openInnerConversion(conversion);
  const people = mailAddresses(parameters[ADDRESS_PARAMETERS[short] ?? ''], inner.expressions);
  conversion.addTodo(
    Array.isArray(people)
      ? 'Check who is asked: they get a mail of Weft, and decide on its page.'
      : 'Check who is asked: people decide on a page of Weft. Enter the assignees, who get a mail.',
  );
  const { fields, expression } = readQuestion(conversion);
  const expiresInMs = readExpiry(conversion);
  const message = inner.limitText(conversion.text(parameters['message'] ?? ''), 10_000);
  const config = {
    ...(message ? { message } : {}),
    ...(Array.isArray(people) ? { assignees: people } : {}),
    ...(fields.length > 0 ? { form: { fields } } : {}),
    ...(expiresInMs === undefined ? {} : { expiresInMs }),
  };
  if (inner.message) conversion.addTodo(inner.message);
  const call = conversion.createId(`${id}_call`);
  const { each: _, ...asking } = conversion.createHelper(call, 'call', { type: 'approval', config }, -1);
  const made = conversion.wholeNode({ type: 'transform', config: { expression } });
  const answers = ['approved', 'rejected'].map((port) => connectNodes(call, id, port));
  return {
    ...made,
    nodes: [asking, ...made.nodes],
    connections: [...made.connections, ...answers],
    entries: [call],
  };
}
