import { NodeFailure } from '@/server/platform/errors/node-failure';
import { choiceParameter, countParameter, listedLineParameter, multilineParameter } from '../../parameters';

// https://learn.microsoft.com/graph/api/resources/teams-api-overview
export const teamId = listedLineParameter('Team', 'teams', [], 200).describe('Id of the team');
export const teamChannelId = listedLineParameter('Channel', 'channels', ['teamId'], 500).describe(
  'Id of the channel, e.g. 19:4a95f7d8db4c4e7f857bcebe0623e6e9@thread.tacv2',
);
export const teamsChatId = listedLineParameter('Chat', 'chats', [], 500).describe(
  'Id of the chat, e.g. 19:2da4c29f6d7041eca70b638b43d45437@thread.v2',
);
export const teamsPageSize = countParameter('Items a page', 50).optional().describe('At most 50; default 20');
export const teamsMessageContent = {
  text: multilineParameter('Text', 28_000).optional().describe('The message as plain text'),
  html: multilineParameter('HTML', 28_000).optional().describe('The message as HTML, in place of the text'),
  importance: choiceParameter('Importance', ['normal', 'high', 'urgent']).optional().describe('Default normal'),
};

export const teamsMessageExample = {
  id: '1616990032035',
  createdDateTime: '2026-01-31T08:15:30.035Z',
  lastModifiedDateTime: '2026-01-31T08:15:30.035Z',
  importance: 'normal',
  from: { user: { id: '87d349ed-44d7-43e1-9a83-5f2406dee5bd', displayName: 'Ada Lovelace' } },
  body: { contentType: 'text', content: 'The build is green.' },
};
export const teamsMemberExample = {
  id: 'ZWUwZjVhZTItOGJjNi00YWU1LTg0NjYtN2RhZWViYmZhMDYyIyM3Mzc2MWYwNi0=',
  displayName: 'Ada Lovelace',
  email: 'ada@example.com',
  userId: '87d349ed-44d7-43e1-9a83-5f2406dee5bd',
  roles: ['owner'],
};

interface TeamsMessage {
  text?: string | undefined;
  html?: string | undefined;
  importance?: string | undefined;
}

/** A message as Teams takes it. Throws NodeFailure CONFIG for one without a content. */
export function toTeamsMessage({ text, html, importance }: TeamsMessage): object {
  const content = html ?? text;
  if (content === undefined || content === '')
    throw new NodeFailure('CONFIG', 'parameters.text: is required, or html', false);
  return { importance, body: { contentType: html === undefined ? 'text' : 'html', content } };
}
