import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource } from '../../choices';

interface DiscordServer {
  id: string;
  name: string;
}

interface DiscordChannel {
  id: string;
  name?: string;
  type: number;
}

/** Channels that take messages: text, announcement, and the chat of a voice channel. */
const DISCORD_MESSAGE_CHANNEL_TYPES = [0, 2, 5];
/** The channels of this many servers are one page of choices, because each takes a call. */
const SERVERS_PER_PAGE = 10;

const listValues = <Item>(value: unknown): Item[] => (Array.isArray(value) ? (value as Item[]) : []);

/** What lists the choices of Discord. https://discord.com/developers/docs/resources/guild */
export const discordChoices: Record<string, ConnectorChoiceSource> = {
  servers: { operation: 'servers.list', value: 'id', label: ['name'] },
  channels: {
    // A message is sent without naming the server: the channels of all servers are listed, server by server.
    *steps({ page }) {
      const servers = listValues<DiscordServer>((yield { path: '/users/@me/guilds', query: { limit: 200 } }).body);
      const from = Number(page ?? 0);
      const items: unknown[] = [];
      for (const server of servers.slice(from, from + SERVERS_PER_PAGE)) {
        const { body } = yield { path: `/guilds/${encodeURIComponent(server.id)}/channels` };
        const channels = listValues<DiscordChannel>(body);
        items.push(
          ...channels
            .filter(({ type }) => DISCORD_MESSAGE_CHANNEL_TYPES.includes(type))
            .map(({ id, name }) => ({ id, name, server: server.name })),
        );
      }
      const next = from + SERVERS_PER_PAGE;
      return { items, next: next < servers.length ? String(next) : null };
    },
    value: 'id',
    label: ['#{name}'],
    hint: 'server',
  },
  members: {
    dependsOn: ['server'],
    searches: true,
    *steps({ values: { server = '' }, search, page }) {
      const path = `/guilds/${encodeURIComponent(server)}/members`;
      if (search !== '')
        return { items: listValues((yield { path: `${path}/search`, query: { query: search, limit: 100 } }).body) };
      const items = listValues((yield { path, query: { limit: 100, after: page ?? undefined } }).body);
      const last = items.length === 100 ? getAtPath(items.at(-1), 'user.id') : undefined;
      return { items, next: typeof last === 'string' ? last : null };
    },
    value: 'user.id',
    label: ['nick', 'user.global_name', 'user.username'],
    hint: 'user.username',
  },
  roles: {
    operation: 'roles.list',
    parametersFrom: { server: 'server' },
    value: 'id',
    label: ['name'],
    // Discord gives roles of integrations itself.
    unless: 'managed',
  },
  messages: {
    operation: 'messages.list',
    parameters: { limit: 100 },
    parametersFrom: { channel: 'channel' },
    value: 'id',
    label: ['content'],
    hint: 'author.username',
  },
};
