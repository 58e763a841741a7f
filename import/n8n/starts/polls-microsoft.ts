import { asN8nObject, type N8nObject } from '../file';
import { isAnyEvent, literalChoice, type PollSource } from './poll-source';

const GRAPH_SERVICE = { connectorId: 'microsoft_graph', items: 'input.body' } as const;
const SINCE_LAST_POLL = '{{ cursor ?? $fromMillis($millis() - 3600000) }}';

export function pollMicrosoftOutlook({ filters }: N8nObject): PollSource {
  const { custom, foldersToInclude, hasAttachments, readStatus, sender } = asN8nObject(filters);
  const address = literalChoice(sender);
  const conditions = [
    `receivedDateTime ge ${SINCE_LAST_POLL}`,
    ...(isAnyEvent(readStatus, 'unread', 'read') ? [`isRead eq ${String(readStatus === 'read')}`] : []),
    ...(hasAttachments === true ? ['hasAttachments eq true'] : []),
    ...(address === undefined ? [] : [`from/emailAddress/address eq '${address.replaceAll("'", "''")}'`]),
    ...[literalChoice(custom) ?? []].flat().map((condition) => `(${condition})`),
  ];
  const [folder] = Array.isArray(foldersToInclude) ? foldersToInclude.map(literalChoice) : [];
  return {
    ...GRAPH_SERVICE,
    name: 'Microsoft Outlook',
    operation: 'messages.list_in_folder',
    parameters: {
      folderId: folder ?? 'inbox',
      filter: conditions.join(' and '),
      order: 'receivedDateTime desc',
      top: 100,
      allPages: true,
    },
    key: 'item.id',
    cursor: '$sort(input.body.receivedDateTime)[-1]',
    hint: 'Check what reads the mail: its fields are those of Graph.',
  };
}

export function pollMicrosoftOneDrive({ event = 'fileCreated', folderId }: N8nObject): PollSource | undefined {
  const folder = literalChoice(folderId);
  const place = {
    name: 'Microsoft OneDrive',
    ...(folder === undefined ? { hint: 'Choose its folder: it looks into the top of the drive.' } : {}),
  };
  if (isAnyEvent(event, 'folderCreated')) {
    const parameters = { folderId: folder ?? 'root' };
    return { ...GRAPH_SERVICE, ...place, operation: 'folders.list', parameters, key: 'item.id' };
  }
  if (!isAnyEvent(event, 'fileCreated', 'fileUpdated')) return undefined;
  const isCreated = event === 'fileCreated';
  return {
    ...GRAPH_SERVICE,
    ...place,
    operation: isCreated ? 'files.list' : 'files.list_by_change',
    parameters: { folderId: folder ?? 'root', top: 200, allPages: true },
    items: '[$filter(input.body, function($item) { $exists($item.file) })]',
    key: isCreated ? 'item.id' : "item.id & ' ' & item.lastModifiedDateTime",
  };
}

export function pollMicrosoftTeams({ event = 'newChannelMessage', ...given }: N8nObject): PollSource | undefined {
  const [teamId, channelId, chatId] = ['teamId', 'channelId', 'chatId'].map((name) => literalChoice(given[name]));
  const service = { ...GRAPH_SERVICE, name: 'Microsoft Teams', key: 'item.id' };
  switch (event) {
    case 'newChannelMessage':
      return teamId === undefined || channelId === undefined
        ? undefined
        : {
            ...service,
            operation: 'channel_messages.list',
            parameters: { teamId, channelId, top: 50 },
            items: 'input.body.value',
          };
    case 'newChatMessage':
      return chatId === undefined
        ? undefined
        : {
            ...service,
            operation: 'chat_messages.list',
            parameters: {
              chatId,
              filter: `lastModifiedDateTime gt ${SINCE_LAST_POLL}`,
              order: 'lastModifiedDateTime desc',
              top: 50,
              allPages: true,
            },
            cursor: '$sort(input.body.lastModifiedDateTime)[-1]',
          };
    case 'newChat':
      return { ...service, operation: 'chats.list', parameters: { top: 50, allPages: true } };
    case 'newChannel':
    case 'newTeamMember': {
      const operation = event === 'newChannel' ? 'channels.list' : 'teams.list_members';
      return teamId === undefined ? undefined : { ...service, operation, parameters: { teamId, allPages: true } };
    }
    default:
      return undefined;
  }
}
