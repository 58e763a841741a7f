import { asN8nObject, asN8nObjects, type N8nObject } from '../file';
import { chosenListValue } from '../nodes/http';

/**
 * JavaScript that makes what n8n's trigger gives of what arrives as `$json`: an item, or a list of them. The empty list:
 * n8n starts nothing.
 */
export type SenderShape = string;

const code = (value: unknown): string => JSON.stringify(value);
const listTexts = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : []);
const splitIds = (given: unknown): string[] =>
  typeof given === 'string' && given !== '' ? given.split(',').map((id) => id.trim()) : [];

/** Items for which all conditions hold. */
const keepWhere = (conditions: readonly string[], item = '$json'): SenderShape | undefined =>
  conditions.length === 0 ? undefined : `${conditions.join(' && ')} ? ${item} : []`;

const TELEGRAM_CHATS = ['message', 'edited_message', 'channel_post', 'edited_channel_post', 'callback_query?.message'];
const TELEGRAM_SENDERS = [
  ...TELEGRAM_CHATS.slice(0, 4),
  'callback_query',
  'inline_query',
  'pre_checkout_query',
  'shipping_query',
];

/** Updates of chosen kinds, chats and people. `kinds`: those that are wanted, if the bot receives others, too. */
export function shapeTelegramUpdate(
  { additionalFields }: N8nObject,
  version: number,
  kinds: readonly string[],
): SenderShape | undefined {
  const { chatIds, userIds } = asN8nObject(additionalFields);
  const among = (ids: unknown, places: readonly string[]) => {
    const wanted = version < 1.2 ? [] : splitIds(ids);
    const paths = (version < 1.4 ? ['message'] : places).map((place) => `$json.${place}`);
    return { wanted, paths };
  };
  const [chats, people] = [among(chatIds, TELEGRAM_CHATS), among(userIds, TELEGRAM_SENDERS)];
  const idTest = ({ wanted, paths }: { wanted: string[]; paths: string[] }, part: string) =>
    wanted.length === 0
      ? []
      : [`${code(wanted)}.includes(String(${paths.map((path) => `${path}?.${part}?.id`).join(' ?? ')}))`];
  return keepWhere([
    ...(kinds.length > 0 ? [`${code(kinds)}.some((kind) => $json[kind] !== undefined)`] : []),
    ...idTest(chats, 'chat'),
    ...idTest(people, 'from'),
  ]);
}

/** The whole call without what n8n does not give. A first call that only tests the address starts nothing. */
export const GITHUB_CALL_SHAPE: SenderShape =
  '$json.body?.hook_id !== undefined && $json.body.action === undefined ? [] : ' +
  '({ body: $json.body, headers: $json.headers, query: $json.query })';
export const GITLAB_CALL_SHAPE: SenderShape = '({ body: $json.body, headers: $json.headers, query: $json.query })';

/** Answers of a form by the titles of their questions, or as they were sent. */
export function shapeTypeformResponse(
  { simplifyAnswers = true, onlyAnswers = true }: N8nObject,
  version: number,
): SenderShape | undefined {
  if (simplifyAnswers !== true) {
    if (onlyAnswers !== true) return undefined;
    return version >= 1.1
      ? 'Object.fromEntries($json.form_response.answers.map((answer) => [answer.field.id, answer]))'
      : '$json.form_response.answers';
  }
  const title = "title.replace(/\\{\\{/g, '[').replace(/\\}\\}/g, ']')";
  const answers =
    'Object.fromEntries($json.form_response.answers.map((answer) => { const value = answer[answer.type]; ' +
    'return [titles[answer.field.id], value?.label ?? value?.labels ?? value]; }))';
  const titles = `Object.fromEntries($json.form_response.definition.fields.map(({ id, title }) => [id, ${title}]))`;
  const result =
    onlyAnswers === true ? answers : `({ ...$json, form_response: { ...$json.form_response, answers: ${answers} } })`;
  return `((titles) => ${result})(${titles})`;
}

/** The event of a call of Slack. */
export function shapeSlackEvent({ trigger, watchWorkspace, channelId, options }: N8nObject): SenderShape {
  const kinds = listTexts(trigger);
  const { userIds, reactionEmojis } = asN8nObject(options);
  const wanted = chosenListValue(channelId);
  const emojis = splitIds(reactionEmojis)
    .map((emoji) => emoji.toLowerCase())
    .filter(Boolean);
  const ignored = typeof userIds === 'string' ? userIds : listTexts(userIds);
  const isAny = kinds.length === 0 || kinds.includes('any_event') || kinds.includes('file_share');
  const conditions = [
    ...(isAny ? [] : [`${code(kinds)}.includes($json.event.type)`]),
    ...(watchWorkspace === true || typeof wanted !== 'string' || wanted === ''
      ? []
      : [
          `(['team_join', 'app_home_opened'].includes($json.event.type) || ${code(wanted)} === ` +
            '($json.event.channel ?? $json.event.item?.channel ?? $json.event.channel_id))',
        ]),
    ...(ignored.length > 0 ? [`!${code(ignored)}.includes($json.event.user ?? $json.event.message?.user)`] : []),
    ...(emojis.length > 0
      ? [
          `($json.event.type !== 'reaction_added' || ${code(emojis)}.includes(($json.event.reaction ?? '').toLowerCase()))`,
        ]
      : []),
  ];
  return keepWhere(conditions, '$json.event') ?? '$json.event';
}

/** The changes in a call of WhatsApp. */
export function shapeWhatsAppChanges({ updates, options }: N8nObject): SenderShape {
  const fields = listTexts(updates);
  const { messageStatusUpdates: statuses } = asN8nObject(options);
  const all =
    "($json.object === 'whatsapp_business_account' ? $json.entry : []).flatMap((entry) => entry.changes)" +
    // n8n is sent no other changes.
    (fields.length > 0 ? `.filter(({ field }) => ${code(fields)}.includes(field))` : '') +
    '.map((change) => ({ ...change.value, field: change.field }))';
  if (!Array.isArray(statuses) || statuses.includes('all')) return all;
  return statuses.length === 0
    ? `${all}.filter(({ statuses }) => !statuses)`
    : `${all}.filter(({ statuses }) => !statuses?.length || statuses.some(({ status }) => ${code(statuses)}.includes(status)))`;
}

export const FACEBOOK_ENTRIES_SHAPE: SenderShape = '$json.entry';

/** HubSpot calls with a list of events. n8n names the id of an object by its kind. */
const HUBSPOT_EVENT: SenderShape =
  '(({ objectId, ...event }) => ({ ...event, ...Object.fromEntries(' +
  "['contact', 'company', 'deal', 'ticket', 'conversation'].filter((kind) => event.subscriptionType.includes(kind))" +
  '.map((kind) => [`${kind}Id`, objectId])) }))($json)';

/** The chosen events of HubSpot: n8n is sent no others. */
export function shapeHubspotEvent({ eventsUi }: N8nObject): SenderShape {
  const events = asN8nObjects(asN8nObject(eventsUi)['eventValues']).map(({ name, property }) => {
    const isChange = String(name).endsWith('.propertyChange');
    return isChange && typeof property === 'string' ? [name, property] : [name];
  });
  const isChosen =
    `${code(events)}.some(([type, property]) => type === $json.subscriptionType && ` +
    '(property === undefined || property === $json.propertyName))';
  return keepWhere(events.length > 0 ? [isChosen] : [], HUBSPOT_EVENT) ?? HUBSPOT_EVENT;
}
